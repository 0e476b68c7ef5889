/**
 * Long messages of a server: what they hold is counted before values are made of it; structured content, which
 * may be as much as it likes, is not made into values at all; and long strings of an answer, most of which are
 * only handed on, are left out of what the SDK reads, since they would be held four times over.
 */
import { toBadAnswer } from "./open_requests.ts";
import { checkJson } from "../../shared/json/json_check.ts";
import { items, valueSpan } from "../../shared/json/json_span.ts";
import { JsonText } from "../../shared/json/json_text.ts";

/** Most values in a long message, structured content apart, and most lists and objects among them. */
const MAX_VALUES = 1_000_000;
const MAX_LISTS = 300_000;

/** Most messages in a batch. */
const MAX_BATCH = 10_000;

const STRUCTURED = ["result", "structuredContent"];

/** A message as values are made of it, and as it is kept. */
export interface ReadMessage {
  short: string;
  text: string;
}

/**
 * Reads a message. Of a long one that holds too many values there is an error in place of an answer, and an
 * empty batch in place of any other; of structured content `{}` is all that is made into values.
 *
 * SECURITY: memory boundary. Of 8 MB of empty lists become 300 MB of values, in more than a second.
 *
 * @throws {SyntaxError} if a long one is not JSON.
 */
export function* readMessage(text: string): Generator<void, ReadMessage> {
  if (text.length <= SHORT_CHARS) return { short: text, text };
  const { values, lists, found } = yield* checkJson(text, { path: STRUCTURED, maxDepth: Infinity });
  const isApart = found !== undefined && text[found.start] === "{";
  const apart = isApart ? found : { values: 0, lists: 0 };
  if (values - apart.values > MAX_VALUES || lists - apart.lists > MAX_LISTS) {
    const short = yield* refuse(text, values);
    return { short, text: short };
  }
  return {
    short: isApart ? `${text.slice(0, found.start)}{}${text.slice(found.end)}` : text,
    text,
  };
}

/** The messages of a batch, not all of one that is endless; undefined if a text is none. */
export function batchOf(text: string): Iterable<string> | undefined {
  return /^\s*\[/.test(text) ? itemsOf(text) : undefined;
}

function* itemsOf(text: string): Generator<string> {
  let count = 0;
  for (const { start, end } of items(text)) {
    if (++count > MAX_BATCH) return;
    yield text.slice(start, end);
  }
}

function* refuse(text: string, values: number): Generator<void, string> {
  const method = yield* checkJson(text, { path: ["method"], maxDepth: Infinity });
  const id = yield* checkJson(text, { path: ["id"], maxDepth: Infinity });
  if (method.found !== undefined || id.found === undefined || id.found.values !== 1) return "[]";
  const fault = `it holds ${values} values; at most ${MAX_VALUES} are taken, ` +
    `and ${MAX_LISTS} of them lists or objects, "structuredContent" apart`;
  return JSON.stringify(toBadAnswer(JSON.parse(text.slice(id.found.start, id.found.end)), fault));
}

/** Up to so many characters a string is short; so is a message whose strings are not looked at. */
export const SHORT_CHARS = 256 * 1024;

/** A message is looked through for so many strings: what has none that is long until then is made of many. */
const MAX_STRINGS = 64;

/** A message without its long strings. */
export interface Shortened {
  text: string;
  /** What stands in the place of a string → that string. */
  cut: ReadonlyMap<string, JsonText>;
}

/** Leaves long strings out of JSON; undefined if there are none. */
export function shorten(text: string): Shortened | undefined {
  if (text.length <= SHORT_CHARS) return undefined;
  const cut = new Map<string, JsonText>();
  const parts: string[] = [];
  let from = 0;
  for (let at = 0, count = 0; count < MAX_STRINGS; count++) {
    const quote = text.indexOf('"', at);
    const span = quote === -1 ? undefined : valueSpan(text, quote);
    if (span === undefined) break;
    at = span.end;
    if (span.end - span.start <= SHORT_CHARS) continue;
    const standIn = MARK + String(cut.size).padStart(4, "0");
    cut.set(standIn, new JsonText(text.slice(span.start, span.end)));
    parts.push(text.slice(from, span.start), `"${standIn}"`);
    from = span.end;
  }
  return cut.size === 0 ? undefined : { text: parts.join("") + text.slice(from), cut };
}

/** Base64 as well, since some strings have to be; nobody who could send it can know it. */
const MARK = crypto.randomUUID().replaceAll("-", "");
