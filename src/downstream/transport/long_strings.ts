/**
 * Long strings of an answer, left out of what the SDK reads: most are only handed on, and made into values and
 * back they would be held four times over.
 */
import { valueSpan } from "../../shared/json/json_span.ts";
import { JsonText } from "../../shared/json/json_text.ts";

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
