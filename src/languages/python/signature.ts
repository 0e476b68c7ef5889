/** A tool → its signature in Python, as one line a model can call it by. Pure; bounded in length. */
import {
  type Parameters,
  restName,
  toParameters,
  writeParameters,
  writeUnpacked,
} from "./parameters.ts";
import { PythonTypes } from "./python_type.ts";
import type { Schema } from "../../shared/json/schema_part.ts";
import { isContentSchema, isWrapperSchema } from "../result_schema.ts";
import type { TypedDicts } from "./typed_dicts.ts";

/** Longest signature; a longer one is written plainer, then cut. */
const MAX_CHARS = 1000;

/** Longest type of a signature that is cut. */
const MAX_CUT_TYPE_CHARS = 100;

/** What a signature is made of. */
export interface SignedTool {
  /** Its name in Python. */
  alias: string;
  inputSchema: Schema;
  outputSchema?: Schema;
  /** Schema of results so far, used where the tool promises nothing. */
  observed?: Schema;
}

/** How deep objects are spelled out where there is room. */
const DEPTH = 2;

/** What the text of a signature is made of. */
export interface Signed {
  parameters: Parameters;
  result: string;
  /** Whether a type is plainer than it could be. */
  isCut: boolean;
}

/** Such as `get_weather(city: str, *, units: Literal["c", "f"] = "c") -> dict`. */
export function toSignature(tool: SignedTool): string {
  return writeSignature(tool, sign(tool));
}

/** A tool's parameters and result, with objects spelled out to some depth. */
export function sign(tool: SignedTool, depth: number = DEPTH): Signed {
  const types = new PythonTypes(tool.inputSchema);
  const parameters = toParameters(tool.inputSchema, types, { depth });
  const { type: result, isCut } = toResult(tool, { depth });
  return { parameters, result, isCut: types.isCut || isCut };
}

/** The text of a signature; plainer than `signed` where that is too long. */
export function writeSignature(tool: SignedTool, signed: Signed): string {
  for (let depth = DEPTH;; signed = sign(tool, --depth)) {
    const parameters = writeParameters(signed.parameters, writeUnpacked);
    const text = `${tool.alias}(${parameters.join(", ")}) -> ${signed.result}`;
    if (text.length <= MAX_CHARS && !(signed.isCut && depth > 0)) return text;
    if (depth === 0) return cut(tool.alias, parameters, signed);
  }
}

/** Types that tell a reader nothing. */
const SILENT: ReadonlySet<string> = new Set(["Any", "dict", "list"]);

/** Whether a tool leaves open what its results look like, so that it is worth looking at them. */
export function isSilent(outputSchema: Record<string, unknown> | undefined): boolean {
  return SILENT.has(toResult({ outputSchema }, { depth: 1 }).type);
}

/** The type of what a call gives. */
export function toResult(
  { outputSchema, observed }: { outputSchema?: Schema | undefined; observed?: Schema | undefined },
  options: { depth: number; names?: readonly string[]; dicts?: TypedDicts },
): { type: string; isCut: boolean } {
  const root = observed ?? outputSchema;
  if (root === undefined) return { type: "Any", isCut: false };
  if (observed === undefined && isContentSchema(outputSchema)) {
    return { type: "Blob | list", isCut: false };
  }
  const types = new PythonTypes(root, options.dicts);
  // A declared wrapper is opened by `unwrap_result.ts`; what was observed is what came out of there.
  const isWrapper = observed === undefined && isWrapperSchema(outputSchema);
  const part = isWrapper ? types.root.members(root).properties.get("result") : root;
  return { type: types.typeOf(part, options), isCut: types.isCut };
}

/** As many parameters as there is room for; the others are in `**arguments`. */
function cut(alias: string, written: readonly string[], { parameters, result }: Signed): string {
  const returned = result.length > MAX_CUT_TYPE_CHARS ? "Any" : result;
  const end = `**${restName(parameters.all)}) -> ${returned}`;
  const kept: string[] = [];
  let room = MAX_CHARS - alias.length - end.length - 1;
  for (const parameter of written) {
    room -= parameter.length + 2;
    if (room < 0 || parameter.startsWith("**")) break;
    kept.push(parameter);
  }
  if (kept.at(-1) === "*") kept.pop();
  return `${alias}(${kept.map((one) => `${one}, `).join("")}${end}`;
}
