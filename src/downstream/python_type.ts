/**
 * JSON Schema → a Python type, as text for a reader. Pure. Schemas come from servers: odd, recursive and
 * hostile ones give a plainer type, never an exception, and never more than a bounded amount of work.
 */
import { toPythonLiteral } from "./python_literal.ts";

/** How much of a schema is shown. */
export interface TypeOptions {
  /** How deep objects are spelled out; below that they are `dict`. */
  depth: number;
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

const MAX_LITERALS = 12;
const MAX_KEYS = 20;
const MAX_UNION = 6;

/** Most steps down one schema, so that those that hold themselves come to an end. */
const MAX_STEPS = 12;

/** Most parts looked at in all: a schema of a few lines can unfold to millions. */
const MAX_PARTS = 5000;

type Schema = Record<string, unknown>;

/** Gives types to the parts of one schema, whose `$ref`s it knows. */
export class PythonTypes {
  readonly #root: unknown;
  #partsLeft = MAX_PARTS;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** The type of `schema`, which is a part of the root. */
  typeOf(schema: unknown, options: TypeOptions): string {
    return this.#type(schema, options.depth, MAX_STEPS);
  }

  /** `schema`, or what it refers to. */
  resolve(schema: unknown): Schema {
    let found: unknown = schema;
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      if (!isSchema(found)) return {};
      const ref = own(found, "$ref");
      if (typeof ref !== "string") return found;
      found = this.#lookUp(ref);
    }
    return {};
  }

  #type(part: unknown, depth: number, steps: number): string {
    if (steps === 0 || this.#partsLeft-- <= 0) return "Any";
    const schema = this.resolve(part);
    const values = Object.hasOwn(schema, "const") ? [schema["const"]] : own(schema, "enum");
    if (Array.isArray(values)) return toLiteral(values);
    const choices = own(schema, "anyOf") ?? own(schema, "oneOf");
    if (Array.isArray(choices)) {
      const some = choices.slice(0, MAX_UNION + 1);
      return toUnion(some.map((choice) => this.#type(choice, depth, steps - 1)));
    }
    const parts = own(schema, "allOf");
    if (Array.isArray(parts) && own(schema, "type") === undefined) {
      const types = parts.slice(0, MAX_UNION).map((one) => this.#type(one, depth, steps - 1));
      return types.find((type) => type !== "Any") ?? "Any";
    }
    const kind = own(schema, "type");
    if (Array.isArray(kind)) {
      const some = kind.slice(0, MAX_UNION + 1);
      return toUnion(some.map((one) => this.#ofKind(one, schema, depth, steps - 1)));
    }
    return this.#ofKind(kind, schema, depth, steps);
  }

  #ofKind(kind: unknown, schema: Schema, depth: number, steps: number): string {
    if (kind === "array" || (kind === undefined && "items" in schema)) {
      const items = own(schema, "items");
      const type = isSchema(items) ? this.#type(items, depth, steps - 1) : "Any";
      return type === "Any" ? "list" : `list[${type}]`;
    }
    if (kind === "object" || (kind === undefined && isSchema(own(schema, "properties")))) {
      return this.#object(schema, depth, steps);
    }
    return typeof kind === "string" ? own(SIMPLE, kind) as string | undefined ?? "Any" : "Any";
  }

  #object(schema: Schema, depth: number, steps: number): string {
    const properties = own(schema, "properties");
    const names = isSchema(properties) ? Object.keys(properties) : [];
    if (names.length === 0) {
      const extra = own(schema, "additionalProperties");
      const type = isSchema(extra) ? this.#type(extra, depth, steps - 1) : "Any";
      return type === "Any" ? "dict" : `dict[str, ${type}]`;
    }
    if (depth <= 0 || names.length > MAX_KEYS || !isSchema(properties)) return "dict";
    const required = requiredNames(schema);
    const entries = names.map((name) => {
      const type = this.#type(own(properties, name), depth - 1, steps - 1);
      return `${JSON.stringify(name)}: ${required.has(name) ? type : `NotRequired[${type}]`}`;
    });
    return `{${entries.join(", ")}}`;
  }

  #lookUp(ref: string): unknown {
    if (ref === "#") return this.#root;
    if (!ref.startsWith("#/")) return undefined;
    let found: unknown = this.#root;
    for (const part of ref.slice(2).split("/").slice(0, 20)) {
      if (typeof found !== "object" || found === null) return undefined;
      found = own(found, unescapePointer(part));
    }
    return found;
  }
}

/** Names that `required` of an object's schema lists. */
export function requiredNames(schema: Schema): Set<string> {
  const names = own(schema, "required");
  return new Set(Array.isArray(names) ? names.filter((name) => typeof name === "string") : []);
}

/** A member of parsed JSON itself, never one of its prototype. */
export function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Schema)[key] : undefined;
}

/** Whether a value is a JSON object. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toLiteral(values: readonly unknown[]): string {
  const texts = values.slice(0, MAX_LITERALS).map(toPythonLiteral);
  if (texts.length === 0 || texts.includes(undefined)) return "Any";
  const isNull = (text: string | undefined) => text === "None";
  const named = texts.filter((text) => !isNull(text));
  if (named.length === 0) return "None";
  const more = values.length > MAX_LITERALS ? [...named, "..."] : named;
  return `Literal[${more.join(",")}]${texts.some(isNull) ? " | None" : ""}`;
}

function toUnion(types: readonly string[]): string {
  const named = new Set(types.map((type) => type.replace(OR_NONE, "")).filter((t) => t !== "None"));
  if (types.length === 0 || named.has("Any") || types.length > MAX_UNION) return "Any";
  const none = types.some((type) => type === "None" || OR_NONE.test(type)) ? ["None"] : [];
  return [...named, ...none].join(" | ");
}

/** None stands last in every union here. */
const OR_NONE = / \| None$/;

function unescapePointer(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
}
