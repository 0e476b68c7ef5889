/** The `TypedDict`s of one text of stubs: their names, one definition for objects that are alike. Pure. */
import { isPythonName } from "./alias.ts";
import { toOneLine } from "./source_text.ts";

/** One key of an object. */
export interface Field {
  key: string;
  type: string;
  isRequired: boolean;
  /** What the server says about it. */
  note: string;
}

/** Names that a type must not hide. */
const RESERVED = ["Any", "Blob", "Literal", "None", "NotRequired", "True", "TypedDict", "Unpack"];

const MAX_NAME_CHARS = 40;
const MAX_NOTE_CHARS = 80;

/** Most text of definitions for one tool. */
const MAX_CHARS = 6000;

/** Makes definitions; those of one tool are taken before the next tool begins. */
export class TypedDicts {
  readonly #taken: Set<string>;
  /** What is in a definition → its name. */
  readonly #known = new Map<string, string>();
  /** Names whose definition is under way, outermost first. */
  readonly #open: string[] = [];
  /** Names that were used inside their own definition: by themselves, or by a definition within. */
  readonly #inSelf = new Set<string>();
  readonly #inOthers = new Set<string>();
  #made: string[] = [];
  #charsLeft = MAX_CHARS;

  /** `taken` are names that the text uses for other things. */
  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set([...RESERVED, ...taken]);
  }

  /** Whether a tool has had its share of text. */
  get isFull(): boolean {
    return this.#charsLeft <= 0;
  }

  /** Begins a definition under the best of `names` that is free. */
  open(names: readonly string[]): string {
    const usable = names.filter((name) => name !== "");
    const base = usable.at(-1) ?? "Item";
    let name = usable.find((one) => !this.#taken.has(one));
    for (let count = 2; name === undefined; count++) {
      if (!this.#taken.has(`${base}${count}`)) name = `${base}${count}`;
    }
    this.#taken.add(name);
    this.#open.push(name);
    return name;
  }

  /** Uses a name that may be still under way. */
  mention(name: string): string {
    if (this.#open.includes(name)) {
      (this.#open.at(-1) === name ? this.#inSelf : this.#inOthers).add(name);
    }
    return name;
  }

  /** Ends the latest definition; gives the name of an earlier one if both say the same. */
  close(name: string, fields: readonly Field[], omitted: number): string {
    const body = this.#write(fields);
    this.#open.pop();
    const key = this.#inSelf.has(name) ? body.replaceAll(wholeName(name), "-") : body;
    const known = this.#inOthers.has(name) ? undefined : this.#known.get(key);
    if (known !== undefined) {
      this.#taken.delete(name);
      return known;
    }
    this.#known.set(key, name);
    const isClass = body.startsWith("\n");
    const more = omitted > 0 ? `${isClass ? "\n    " : "  "}# and ${omitted} more keys` : "";
    const text = isClass
      ? `class ${name}(TypedDict):${body}${more}`
      : `${name} = TypedDict(${JSON.stringify(name)}, ${body})${more}`;
    this.#made.push(text);
    this.#charsLeft -= text.length;
    return name;
  }

  /** Definitions since the last time, in the order in which they can stand. */
  take(): string[] {
    const made = this.#made;
    this.#made = [];
    this.#charsLeft = MAX_CHARS;
    return made;
  }

  #write(fields: readonly Field[]): string {
    if (fields.every(({ key }) => isPythonName(key) && !key.startsWith("__"))) {
      return fields.map(({ key, type, isRequired, note }) => {
        const comment = toOneLine(note, MAX_NOTE_CHARS);
        return `\n    ${key}: ${wrap(type, isRequired)}${comment === "" ? "" : `  # ${comment}`}`;
      }).join("");
    }
    const entries = fields.map(({ key, type, isRequired }) => {
      // Unlike those of a class, these types are looked up at once.
      const isOpen = this.#open.some((name) => wholeName(name).test(type));
      return `${JSON.stringify(key)}: ${wrap(isOpen ? JSON.stringify(type) : type, isRequired)}`;
    });
    return `{${entries.join(", ")}}`;
  }
}

/** Words as the name of a type: `user-group` → `UserGroup`; empty if they make no good name. */
export function toTypeName(words: string): string {
  // Letters beyond the first plane are too new for some versions of Python.
  if (words.length > 2 * MAX_NAME_CHARS || /[\ud800-\udfff]/.test(words)) return "";
  const parts = words.normalize("NFKC").split(/[^\p{XID_Continue}]+|_+/u).filter((one) =>
    one !== ""
  );
  const name = parts.map((part) => part[0]!.toUpperCase() + part.slice(1)).join("");
  return name.length <= MAX_NAME_CHARS && isPythonName(name) ? name : "";
}

function wrap(type: string, isRequired: boolean): string {
  return isRequired ? type : `NotRequired[${type}]`;
}

function wholeName(name: string): RegExp {
  return new RegExp(`(?<![\\p{XID_Continue}])${name}(?![\\p{XID_Continue}])`, "gu");
}
