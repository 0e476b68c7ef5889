/**
 * Reading JSON Schemas that servers sent. Pure. Nothing about them is taken for granted: an odd part says
 * nothing, a reference that leads nowhere or back ends, and the work is bounded.
 */

/** A JSON object. */
export type Schema = Record<string, unknown>;

/** The named members of an object. */
export interface Members {
  /** Name → schema, in the order of the schema. */
  properties: ReadonlyMap<string, unknown>;
  required: ReadonlySet<string>;
  /** Whether names that are not listed are welcome. */
  isOpen: boolean;
}

/** Most references that are followed in a row. */
export const MAX_STEPS = 12;

/** Most members of one object, and the longest name of one, that are looked at. */
const MAX_MEMBERS = 200;
const MAX_NAME_CHARS = 100;

/** Most parts an object is gathered from, and all objects of a schema together. */
const MAX_PARTS = 200;
const MAX_ALL_PARTS = 5000;

/** Keywords that can allow members which are not under `properties`. */
const OPENING = ["patternProperties", "if", "dependentSchemas", "dependencies"] as const;

/** The members of an object that nothing is said of. */
const ANYTHING: Members = { properties: new Map(), required: new Set(), isOpen: true };

/** A whole schema, whose references it knows. */
export class SchemaRoot {
  readonly #root: unknown;
  readonly #members = new Map<Schema, Members>();
  #partsLeft = MAX_ALL_PARTS;

  constructor(root: unknown) {
    this.#root = root;
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

  /** The members of an object, with those of `allOf` and, as optional ones, of `anyOf` and `oneOf`. */
  members(part: unknown): Members {
    const schema = this.resolve(part);
    if (Object.keys(schema).length === 0) return ANYTHING;
    let members = this.#members.get(schema);
    if (members === undefined) {
      const gathered = new Gathered(Math.min(MAX_PARTS, this.#partsLeft));
      const before = gathered.partsLeft;
      this.#gather(schema, gathered, MAX_STEPS);
      this.#partsLeft -= before - gathered.partsLeft;
      const { properties, required, isNamed, isClosed } = gathered;
      members = { properties, required, isOpen: gathered.isOpen || (!isNamed && !isClosed) };
      this.#members.set(schema, members);
    }
    return members;
  }

  #gather(part: unknown, into: Gathered, steps: number): void {
    if (steps === 0 || into.partsLeft <= 0) return;
    into.partsLeft--;
    const schema = this.resolve(part);
    into.add(schema);
    for (const one of list(own(schema, "allOf")).slice(0, MAX_PARTS)) {
      this.#gather(one, into, steps - 1);
    }
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = list(own(schema, keyword)).slice(0, MAX_PARTS).map((choice) => {
        const branch = new Gathered(into.partsLeft);
        this.#gather(choice, branch, steps - 1);
        into.partsLeft = branch.partsLeft;
        return branch;
      });
      if (branches.length > 0) into.addChoices(branches);
    }
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

/** Members while they are being gathered. */
class Gathered {
  readonly properties = new Map<string, unknown>();
  readonly required = new Set<string>();
  isOpen = false;
  isClosed = false;
  isNamed = false;
  partsLeft: number;

  constructor(partsLeft: number) {
    this.partsLeft = partsLeft;
  }

  add(schema: Schema): void {
    const properties = own(schema, "properties");
    const extra = own(schema, "additionalProperties");
    this.isNamed ||= isSchema(properties);
    this.isClosed ||= extra === false;
    this.isOpen ||= extra === true || isSchema(extra) ||
      OPENING.some((keyword) => Object.hasOwn(schema, keyword));
    for (const name of isSchema(properties) ? Object.keys(properties) : []) {
      this.#set(name, (properties as Schema)[name]);
    }
    for (const name of list(own(schema, "required"))) {
      if (typeof name !== "string") continue;
      this.#set(name, {});
      if (this.properties.has(name)) this.required.add(name);
    }
  }

  addChoices(branches: readonly Gathered[]): void {
    for (const branch of branches) {
      for (const [name, part] of branch.properties) this.#set(name, part);
      this.isOpen ||= branch.isOpen;
      this.isNamed ||= branch.isNamed;
    }
    for (const name of branches[0]!.required) {
      if (branches.every(({ required }) => required.has(name))) this.required.add(name);
    }
  }

  #set(name: string, part: unknown): void {
    const known = this.properties.get(name);
    // A choice that only says `required` must not hide what the property is.
    if (known !== undefined && !(isSchema(known) && Object.keys(known).length === 0)) return;
    if (known === undefined && this.properties.size >= MAX_MEMBERS) this.isOpen = true;
    else if (name.length > MAX_NAME_CHARS) this.isOpen = true;
    else this.properties.set(name, part);
  }
}

/** A member of parsed JSON itself, never one of its prototype. */
export function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Schema)[key] : undefined;
}

/** Whether a value is a JSON object. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is a list, otherwise nothing. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function unescapePointer(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
}
