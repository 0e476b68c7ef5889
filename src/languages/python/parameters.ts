/** The input schema of a tool → the parameters of a Python function. Pure. */
import { isPythonName } from "./alias.ts";
import { toPythonLiteral } from "./python_literal.ts";
import { describe, type PythonTypes } from "./python_type.ts";
import { isSchema, type Members, own } from "../../shared/json/schema_part.ts";
import { toOneLine } from "./source_text.ts";
import { toTypeName } from "./typed_dicts.ts";

/** Longest description of a parameter in a docstring, and how many have one. */
const MAX_NOTE_CHARS = 120;
const MAX_NOTES = 30;

/** One argument. */
export interface Parameter {
  /** The name that the server knows. */
  name: string;
  /** The name that Python code writes; undefined where it can only be passed in a dict. */
  label: string | undefined;
  type: string;
  isRequired: boolean;
  /** Whether a call can give it without its name. */
  isPositional: boolean;
  /** What the schema says it is when it is not given; undefined if it says nothing. */
  initial: unknown;
  description: string;
}

/** All arguments of a tool, in the order in which a signature shows them. */
export interface Parameters {
  all: readonly Parameter[];
  /** Whether it takes arguments that have no name here. */
  isOpen: boolean;
}

/** The parameters of a tool with that input schema; `types` are made of it, with names if there is an alias. */
export function toParameters(
  inputSchema: unknown,
  types: PythonTypes,
  options: { depth: number; alias?: string },
): Parameters {
  const members = types.root.members(inputSchema);
  const { properties, required, isOpen } = members;
  const positional = positionalNames(members);
  const all = [...properties].map(([name, part]): Parameter => {
    const resolved = types.root.resolve(part);
    const holder = isSchema(part) && Object.hasOwn(part, "default") ? part : resolved;
    const { alias, depth } = options;
    const names = alias === undefined ? [] : [toTypeName(name), toTypeName(`${alias} ${name}`)];
    return {
      name,
      label: toLabel(name, properties),
      type: types.typeOf(part, { depth, names }),
      isRequired: required.has(name),
      isPositional: positional.has(name),
      initial: own(holder, "default"),
      description: describe(part) || describe(resolved),
    };
  });
  const rank = ({ isPositional, isRequired }: Parameter) => isPositional ? 0 : isRequired ? 1 : 2;
  return { all: all.sort((a, b) => rank(a) - rank(b)), isOpen };
}

/** Parameters between parentheses; `unpack` writes the type of those that have no label. */
export function writeParameters(
  { all, isOpen }: Parameters,
  unpack: (others: readonly Parameter[]) => string,
): string[] {
  const write = ({ label, type, isRequired, initial }: Parameter) =>
    `${label}: ${type}${isRequired ? "" : ` = ${toPythonLiteral(initial) ?? "..."}`}`;
  const named = all.filter(({ label }) => label !== undefined);
  const byName = named.filter(({ isPositional }) => !isPositional).map(write);
  const others = all.filter(({ label }) => label === undefined);
  const rest = `**${restName(all)}`;
  return [
    ...named.filter(({ isPositional }) => isPositional).map(write),
    ...(byName.length > 0 ? ["*", ...byName] : []),
    ...(others.length > 0 ? [`${rest}: Unpack[${unpack(others)}]`] : isOpen ? [rest] : []),
  ];
}

/** Parameters that have no label, as the type of all they are in. */
export function writeUnpacked(others: readonly Parameter[]): string {
  const entries = others.map(({ name, type, isRequired }) =>
    `${JSON.stringify(name)}: ${isRequired ? type : `NotRequired[${type}]`}`
  );
  return `{${entries.join(", ")}}`;
}

/** What the parameter for all other arguments is called. */
export function restName(all: readonly Parameter[]): string {
  let name = "arguments";
  while (all.some(({ label }) => label === name)) name += "_";
  return name;
}

/** A line for each of the first parameters that are described. */
export function describeParameters(all: readonly Parameter[]): string[] {
  return all.filter(({ description }) => description.trim() !== "").slice(0, MAX_NOTES)
    .map(({ name, label, description }) =>
      `${toOneLine(label ?? name, 80)}: ${toOneLine(description, MAX_NOTE_CHARS)}`
    );
}

/** Required ones at the front have an order that a caller can know; a single argument needs none. */
function positionalNames({ properties, required }: Members): Set<string> {
  const found = new Set<string>();
  for (const name of properties.keys()) {
    const isKnown = required.has(name) || properties.size === 1;
    if (!isKnown || toLabel(name, properties) === undefined) break;
    found.add(name);
  }
  return found;
}

/** A keyword gets a `_`, unless that is the name of another argument. */
function toLabel(name: string, properties: ReadonlyMap<string, unknown>): string | undefined {
  if (isPythonName(name)) return name;
  const safe = `${name}_`;
  return name !== "" && isPythonName(safe) && !properties.has(safe) ? safe : undefined;
}
