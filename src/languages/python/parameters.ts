/**
 * The input schema of a tool → the parameters of a Python function. Pure. `signatures.py` in `runtime/python/`
 * takes calls by the same rules.
 */
import { isPythonName } from "./alias.ts";
import { toPythonLiteral } from "./python_literal.ts";
import { describe, type PythonTypes } from "./python_type.ts";
import { isSchema, type Members, own } from "../../shared/json/schema_part.ts";
import { toTypeName } from "./typed_dicts.ts";

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
  /** Its default in Python, if the schema tells one that can be read. */
  initial: string | undefined;
  description: string;
}

/** All arguments of a tool, in the order in which a signature shows them. */
export interface Parameters {
  all: readonly Parameter[];
  /** Whether it takes arguments that have no name here. */
  isOpen: boolean;
}

/** The parameters of a tool with that input schema; `types` are made of the same schema. */
export function toParameters(
  inputSchema: unknown,
  types: PythonTypes,
  options: { depth: number; alias?: string },
): Parameters {
  const members = types.root.members(inputSchema);
  const { properties, required, isOpen } = members;
  const positional = positionalNames(members);
  const all = [...properties].map(([name, part]): Parameter => {
    const holder = isSchema(part) && Object.hasOwn(part, "default")
      ? part
      : types.root.resolve(part);
    const initial = own(holder, "default");
    const names = [toTypeName(name), toTypeName(`${options.alias} ${name}`)];
    return {
      name,
      label: toLabel(name, properties),
      type: types.typeOf(part, { depth: options.depth, names }),
      isRequired: required.has(name),
      isPositional: positional.has(name),
      initial: initial === undefined ? undefined : toPythonLiteral(initial),
      description: describe(part) || describe(holder),
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
    `${label}: ${type}${isRequired ? "" : ` = ${initial ?? "..."}`}`;
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

/** What the parameter for all other arguments is called. */
export function restName(all: readonly Parameter[]): string {
  let name = "arguments";
  while (all.some(({ label }) => label === name)) name += "_";
  return name;
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
