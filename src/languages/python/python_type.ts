/**
 * JSON Schema → a Python type, as text for a reader. Pure. Schemas come from servers: odd, recursive and
 * hostile ones give a plainer type, never an exception, and never more than a bounded amount of work.
 * Objects are spelled out in place (`{"x": float}`) or, where a {@link TypedDicts} is given, by name.
 */
import { toPythonLiteral } from "./python_literal.ts";
import {
  isSchema,
  list,
  MAX_STEPS,
  own,
  type Schema,
  SchemaRoot,
} from "../../shared/json/schema_part.ts";
import { toTypeName, type TypedDicts } from "./typed_dicts.ts";

/** Where in a schema a part stands. */
export interface Place {
  /** How deep objects are spelled out; below that they are `dict`. */
  depth: number;
  /** What a type at this place could be called, best first. */
  names?: readonly string[];
}

type Spot = Required<Place> & { steps: number };

const SIMPLE: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

const MAX_LITERALS = 12;
const MAX_KEYS = 20;
const MAX_NAMED_KEYS = 40;
const MAX_UNION = 6;

/** Most parts looked at in all: a schema of a few lines can unfold to millions. */
const MAX_PARTS = 2000;

/** Longest type in place, and where objects have names. */
const MAX_CHARS = 4000;
const MAX_NAMED_CHARS = 400;

/** Gives types to the parts of one schema. */
export class PythonTypes {
  readonly root: SchemaRoot;
  /** Whether something was left out because it was too long. */
  isCut = false;
  readonly #dicts: TypedDicts | undefined;
  /** Names of objects that are done or under way. */
  readonly #named = new Map<Schema, string>();
  #partsLeft = MAX_PARTS;

  constructor(root: unknown, dicts?: TypedDicts) {
    this.root = new SchemaRoot(root);
    this.#dicts = dicts;
  }

  /** The type of `schema`, which is a part of the root. */
  typeOf(schema: unknown, { depth, names = [] }: Place): string {
    return this.#type(schema, { depth, names, steps: MAX_STEPS });
  }

  #type(part: unknown, spot: Spot): string {
    if (spot.steps === 0 || this.#partsLeft-- <= 0) return "Any";
    const schema = this.root.resolve(part);
    const named = this.#dicts === undefined ? spot : { ...spot, names: namesFor(part, spot) };
    const type = this.#plain(schema, { ...named, steps: spot.steps - 1 });
    if (type.length > (this.#dicts === undefined ? MAX_CHARS : MAX_NAMED_CHARS)) {
      this.isCut = true;
      return /^(list|dict)\b/.exec(type)?.[0] ?? (type.startsWith("{") ? "dict" : "Any");
    }
    return own(schema, "nullable") === true ? toUnion([type, "None"]) : type;
  }

  #plain(schema: Schema, spot: Spot): string {
    const literal = toLiteral(this.#values(schema) ?? []);
    if (literal !== "Any") return literal;
    const choices = own(schema, "anyOf") ?? own(schema, "oneOf");
    if (Array.isArray(choices) && !isSchema(own(schema, "properties"))) {
      const some = choices.slice(0, MAX_UNION + 1);
      const union = toUnion(some.map((choice) => this.#type(choice, spot)));
      if (union !== "Any") return union;
    }
    const kind = own(schema, "type");
    if (Array.isArray(kind)) {
      const some = kind.slice(0, MAX_UNION + 1);
      return toUnion(some.map((one) => this.#ofKind(one, schema, spot)));
    }
    return this.#ofKind(kind, schema, spot);
  }

  /** The values a schema allows, if it lists them; choices that are single values are one list. */
  #values(schema: Schema): readonly unknown[] | undefined {
    if (Object.hasOwn(schema, "const")) return [schema["const"]];
    const values = own(schema, "enum");
    if (Array.isArray(values)) return values;
    const choices = own(schema, "anyOf") ?? own(schema, "oneOf");
    if (!Array.isArray(choices) || choices.length === 0) return undefined;
    const all: unknown[] = [];
    for (const choice of choices.slice(0, 100)) {
      const one = this.root.resolve(choice);
      if (Object.hasOwn(one, "const")) all.push(one["const"]);
      else if (own(one, "type") === "null") all.push(null);
      else return undefined;
    }
    return all;
  }

  #ofKind(kind: unknown, schema: Schema, spot: Spot): string {
    if (kind === "array") return this.#array(schema, spot);
    if (kind === "object") return this.#object(schema, spot);
    if (typeof kind === "string") return own(SIMPLE, kind) as string | undefined ?? "Any";
    if ("items" in schema || "prefixItems" in schema) return this.#array(schema, spot);
    if (this.root.members(schema).properties.size > 0 || "additionalProperties" in schema) {
      return this.#object(schema, spot);
    }
    const parts = list(own(schema, "allOf")).slice(0, MAX_UNION);
    return parts.map((one) => this.#type(one, spot)).find((type) => type !== "Any") ?? "Any";
  }

  #array(schema: Schema, spot: Spot): string {
    const items = own(schema, "items");
    const inner = { ...spot, names: spot.names.map(toSingular) };
    const first = list(Array.isArray(items) ? items : own(schema, "prefixItems"));
    if (first.length > 0 && first.length <= MAX_UNION && !isSchema(items)) {
      return `tuple[${first.map((one) => this.#type(one, inner)).join(", ")}]`;
    }
    const type = isSchema(items) ? this.#type(items, inner) : "Any";
    return type === "Any" ? "list" : `list[${type}]`;
  }

  #object(schema: Schema, spot: Spot): string {
    const known = this.#named.get(schema);
    if (known !== undefined) return this.#dicts!.mention(known);
    const { properties, required } = this.root.members(schema);
    if (properties.size === 0) return this.#mapping(schema, spot);
    const isTooMuch = this.#dicts?.isFull ?? properties.size > MAX_KEYS;
    if (spot.depth <= 0 || isTooMuch) return "dict";
    const name = this.#dicts?.open(spot.names);
    if (name !== undefined) this.#named.set(schema, name);
    const fields = [...properties].slice(0, MAX_NAMED_KEYS).map(([key, part]) => {
      const names = name === undefined
        ? []
        : [toTypeName(key), toTypeName(`${spot.names.at(-1)} ${key}`)];
      const type = this.#type(part, { ...spot, depth: spot.depth - 1, names });
      return { key, type, isRequired: required.has(key), note: describe(part) };
    });
    if (name !== undefined) {
      const defined = this.#dicts!.close(name, fields, properties.size - fields.length);
      this.#named.set(schema, defined);
      return defined;
    }
    const entries = fields.map(({ key, type, isRequired }) =>
      `${JSON.stringify(key)}: ${isRequired ? type : `NotRequired[${type}]`}`
    );
    return `{${entries.join(", ")}}`;
  }

  /** An object whose keys are data. */
  #mapping(schema: Schema, spot: Spot): string {
    const patterns = own(schema, "patternProperties");
    const [pattern] = isSchema(patterns) ? Object.values(patterns) : [];
    const extra = own(schema, "additionalProperties");
    const values = isSchema(extra) ? extra : pattern;
    const inner = { ...spot, names: spot.names.map(toSingular) };
    const type = values === undefined ? "Any" : this.#type(values, inner);
    return type === "Any" ? "dict" : `dict[str, ${type}]`;
  }
}

/** What a part says of itself. */
export function describe(part: unknown): string {
  const description = isSchema(part) ? own(part, "description") : undefined;
  return typeof description === "string" ? description : "";
}

/** A title comes first, then the name of a definition, then what the place suggests. */
function namesFor(part: unknown, { names }: Spot): readonly string[] {
  if (!isSchema(part)) return names;
  const ref = own(part, "$ref");
  const title = own(part, "title");
  const given = typeof ref === "string" ? ref.slice(ref.lastIndexOf("/") + 1) : title;
  const name = typeof given === "string" ? toTypeName(given) : "";
  return name === "" ? names : [name, ...names];
}

function toSingular(name: string): string {
  return /[^su]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}

function toLiteral(values: readonly unknown[]): string {
  if (values.some((value) => typeof value === "object" && value !== null)) return "Any";
  const texts = values.slice(0, MAX_LITERALS).map(toPythonLiteral);
  if (texts.length === 0 || texts.includes(undefined)) return "Any";
  const named = new Set(texts.filter((text) => text !== "None"));
  const orNone = values.includes(null) ? " | None" : "";
  if (named.size === 0) return values.length > MAX_LITERALS ? "Any" : "None";
  const more = values.length > MAX_LITERALS ? [...named, "..."] : [...named];
  return `Literal[${more.join(", ")}]${orNone}`;
}

function toUnion(types: readonly string[]): string {
  const named = new Set(types.map((type) => type.replace(OR_NONE, "")).filter((t) => t !== "None"));
  if (types.length === 0 || named.has("Any") || types.length > MAX_UNION) return "Any";
  const none = types.some((type) => type === "None" || OR_NONE.test(type)) ? ["None"] : [];
  return [...named, ...none].join(" | ");
}

/** None stands last in every union here. */
const OR_NONE = / \| None$/;
