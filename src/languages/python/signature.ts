/** A tool → its signature in Python, as one line a model can call it by. Pure; bounded in length. */
import { restName, toParameters, writeParameters } from "./parameters.ts";
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

/** Such as `get_weather(city: str, *, units: Literal["c", "f"] = "c") -> dict`. */
export function toSignature(tool: SignedTool): string {
  for (const depth of [2, 1, 0]) {
    const { parameters, result, isCut } = write(tool, depth);
    const text = `${tool.alias}(${parameters.join(", ")}) -> ${result}`;
    if (text.length <= MAX_CHARS && !(isCut && depth > 0)) return text;
  }
  return cut(tool);
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

function write(tool: SignedTool, depth: number) {
  const types = new PythonTypes(tool.inputSchema);
  const parameters = toParameters(tool.inputSchema, types, { depth });
  const written = writeParameters(parameters, (others) => {
    const entries = others.map(({ name, type, isRequired }) =>
      `${JSON.stringify(name)}: ${isRequired ? type : `NotRequired[${type}]`}`
    );
    return `{${entries.join(", ")}}`;
  });
  const { type: result, isCut } = toResult(tool, { depth });
  const rest = `**${restName(parameters.all)}`;
  return { parameters: written, rest, result, isCut: types.isCut || isCut };
}

/** As many parameters as there is room for; the others are in `**arguments`. */
function cut(tool: SignedTool): string {
  const { parameters, rest, result } = write(tool, 0);
  const end = `${rest}) -> ${result.length > MAX_CUT_TYPE_CHARS ? "Any" : result}`;
  const kept: string[] = [];
  let room = MAX_CHARS - tool.alias.length - end.length - 1;
  for (const parameter of parameters) {
    room -= parameter.length + 2;
    if (room < 0 || parameter.startsWith("**")) break;
    kept.push(parameter);
  }
  if (kept.at(-1) === "*") kept.pop();
  return `${tool.alias}(${kept.map((one) => `${one}, `).join("")}${end}`;
}
