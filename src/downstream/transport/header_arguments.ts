/**
 * Arguments that a server wants to see in HTTP headers as well (`x-mcp-header`). A tool that asks for it in
 * a way the protocol does not allow must not be used. Pure.
 */

/** Keyword of a schema that names the header. */
const KEYWORD = "x-mcp-header";

/** What can be written in a header without doubt. */
const TYPES: readonly unknown[] = ["string", "integer", "boolean"];

/** A name of a header, by RFC 9110. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Keywords that hold data, not schemas. */
const DATA: readonly string[] = ["const", "default", "enum", "examples"];

/** Keywords that hold schemas by names, which are no keywords. */
const MAPS: readonly string[] = [
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
];

interface Pending {
  value: unknown;
  /** Names of the arguments that lead there; absent where none does for certain. */
  path?: readonly string[];
}

/** What is wrong with the headers that a tool's schema asks for; `undefined` if nothing is. */
export function findHeaderFault(
  inputSchema: Readonly<Record<string, unknown>>,
): string | undefined {
  const headers = new Set<string>();
  const pending: Pending[] = [{ value: inputSchema, path: [] }];
  // A list of what is left, since a schema may be nested deeper than calls can be.
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value !== "object" || value === null) continue;
    const fault = KEYWORD in value ? faultOf(value, path, headers) : undefined;
    if (fault !== undefined) return fault;
    for (const [key, part] of Object.entries(value)) {
      if (DATA.includes(key) || typeof part !== "object" || part === null) continue;
      const isMap = MAPS.includes(key) && !Array.isArray(value);
      if (!isMap) pending.push({ value: part });
      else if (key !== "properties" || path === undefined) pushAll(pending, part);
      else pushAll(pending, part, path);
    }
  }
  return undefined;
}

function pushAll(pending: Pending[], schemas: object, path?: readonly string[]): void {
  for (const [name, value] of Object.entries(schemas)) {
    pending.push({ value, ...(path && { path: [...path, name] }) });
  }
}

function faultOf(schema: object, path: Pending["path"], headers: Set<string>): string | undefined {
  const { [KEYWORD]: name, type } = schema as Record<string, unknown>;
  if (path === undefined || path.length === 0) return `${KEYWORD} stands where no argument is`;
  const at = `${KEYWORD} of ${JSON.stringify(path.join("."))}`;
  if (typeof name !== "string" || !TOKEN.test(name)) return `${at} is no name of a header`;
  if (!TYPES.includes(type)) return `${at} needs the type string, integer or boolean`;
  const lower = name.toLowerCase();
  if (headers.has(lower)) return `${at} is the header of another argument, too`;
  headers.add(lower);
  return undefined;
}
