/** A tool → its signature in Python, as one line a model can call it by. Pure; bounded in length. */
import type { DownstreamTool } from "./downstream.ts";
import { isPythonName } from "./alias.ts";
import { toPythonLiteral } from "./python_literal.ts";
import { isSchema, own, PythonTypes, requiredNames } from "./python_type.ts";
import { isWrapperSchema } from "./unwrap_result.ts";

/** Longest signature; a longer one is written plainer, then cut. */
const MAX_CHARS = 1000;

/** Most parameters that are looked at. */
const MAX_PARAMETERS = 200;

/** Such as `get_weather(city: str, units: Literal["c","f"] = "c") -> dict`. */
export function toSignature(
  tool: Pick<DownstreamTool, "alias" | "inputSchema" | "outputSchema">,
): string {
  let text = "";
  for (const depth of [2, 1, 0]) {
    text = write(tool, depth);
    if (text.length <= MAX_CHARS) return text;
  }
  const end = text.lastIndexOf(", ", MAX_CHARS - 10);
  return `${text.slice(0, end === -1 ? MAX_CHARS - 10 : end)}, ...)`;
}

function write(
  { alias, inputSchema, outputSchema }: Pick<
    DownstreamTool,
    "alias" | "inputSchema" | "outputSchema"
  >,
  depth: number,
): string {
  return `${alias}(${toParameters(inputSchema, depth).join(", ")}) -> ${
    toReturn(outputSchema, depth)
  }`;
}

function toParameters(inputSchema: Record<string, unknown>, depth: number): string[] {
  const types = new PythonTypes(inputSchema);
  const schema = types.resolve(inputSchema);
  const properties = own(schema, "properties");
  const names = isSchema(properties) ? Object.keys(properties).slice(0, MAX_PARAMETERS) : [];
  const required = requiredNames(schema);
  const toParameter = (name: string, label: string) => {
    const part = isSchema(properties) ? own(properties, name) : undefined;
    const typed = `${label}: ${types.typeOf(part, { depth })}`;
    if (required.has(name)) return typed;
    const holder = isSchema(part) && Object.hasOwn(part, "default") ? part : types.resolve(part);
    const initial = own(holder, "default");
    const written = initial === undefined ? undefined : toPythonLiteral(initial);
    return `${typed} = ${written ?? "..."}`;
  };
  const isWritable = (name: string) => isPythonName(name) || isPythonName(`${name}_`);
  const named = names.filter(isWritable);
  const ordered = [
    ...named.filter((name) => required.has(name)),
    ...named.filter((name) => !required.has(name)),
  ];
  // Where the schema's own order is another one, a call by position would be a guess.
  const byName = ordered.some((name, index) => name !== named[index]) ? ["*"] : [];
  const parameters = ordered.map((name) =>
    toParameter(name, isPythonName(name) ? name : `${name}_`)
  );
  const others = names.filter((name) => !isWritable(name))
    .map((name) => toParameter(name, JSON.stringify(name)));
  return [
    ...byName,
    ...parameters,
    ...(others.length > 0 ? [`**{${others.join(", ")}}`] : []),
    ...(isOpen(schema) && others.length === 0 ? ["**arguments"] : []),
  ];
}

/** Whether a tool takes arguments that its schema does not name. */
function isOpen(schema: Record<string, unknown>): boolean {
  const extra = own(schema, "additionalProperties");
  return extra === true || isSchema(extra) ||
    own(schema, "properties") === undefined && extra !== false;
}

function toReturn(outputSchema: Record<string, unknown> | undefined, depth: number): string {
  if (outputSchema === undefined) return "Any";
  const types = new PythonTypes(outputSchema);
  const properties = own(outputSchema, "properties");
  const part = isWrapperSchema(outputSchema) && isSchema(properties)
    ? own(properties, "result")
    : outputSchema;
  return types.typeOf(part, { depth });
}
