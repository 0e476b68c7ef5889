/**
 * JSON that is handed on as the text it came as. Read as JavaScript's values, integers above 2^53 would
 * change, `1.0` become `1`, and keys that look like numbers change their place.
 */

/** A JSON value as one line of text. */
export class JsonText {
  readonly text: string;
  #standIn: string | undefined;

  /** `text` must be JSON; line breaks in it are then white space. */
  constructor(text: string) {
    const isOneLine = !text.includes("\n") && !text.includes("\r");
    this.text = isOneLine ? text : text.replaceAll(/[\r\n]/g, " ");
  }

  /** The JSON of a value of our own. */
  static of(value: unknown): JsonText {
    return new JsonText(JSON.stringify(value));
  }

  /** The value, for whoever may lose what JavaScript has no numbers for. */
  parse(): unknown {
    return JSON.parse(this.text);
  }

  /** Stands for it in the output of `JSON.stringify`, for {@link JsonText.insertInto}. */
  toJSON(): string {
    return this.#standIn ??= `${MARK}${++standIns}`;
  }

  /** Puts the text where it belongs in JSON made by `JSON.stringify` of something that holds it. */
  insertInto(json: string): string {
    return this.partsIn(json).join("");
  }

  /** What {@link JsonText.insertInto} gives, in parts: a long text is not copied. */
  partsIn(json: string): string[] {
    const standIn = `"${this.toJSON()}"`;
    const at = json.indexOf(standIn);
    if (at === -1) return [json];
    return [json.slice(0, at), this.text, json.slice(at + standIn.length)];
  }
}

/** What {@link JsonText.toJSON} gave to some JSON, if one is in there. */
export function findStandIn(json: string): string | undefined {
  const at = json.indexOf(MARK);
  return at === -1 ? undefined : json.slice(at, json.indexOf('"', at));
}

let standIns = 0;

// SECURITY: wire boundary. Nobody who could write it into a string of the same message can know it.
const MARK = `${crypto.randomUUID()}:`;
