/**
 * Where the parts of a JSON text lie, found without making values of them: linear, without recursion.
 *
 * For text that `JSON.parse` takes, each part found is the text of that value. For other text nothing is
 * promised but that a part ends no string and no bracket that it did not begin.
 */

/** A part of a text. */
export interface Span {
  start: number;
  end: number;
}

/** A member of an object: its name, and where its value lies. */
export interface MemberSpan extends Span {
  name: string;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Long strings are passed over by a search for their end, short ones by looking at each character. */
const SHORT_CHARS = 16;

/** The value at `at`, or after white space there; undefined if there is none. */
export function valueSpan(text: string, at = 0): Span | undefined {
  const start = skipSpace(text, at);
  const end = skipValue(text, start);
  return end === -1 ? undefined : { start, end };
}

/** The value of a member of the object at `at`; of several of that name the last, as everywhere in JSON. */
export function findMember(text: string, name: string, at = 0): Span | undefined {
  let found: Span | undefined;
  let member = firstMember(text, at);
  for (; member !== undefined; member = memberAfter(text, member)) {
    if (isNamed(text, member, name)) found = { start: member.start, end: member.end };
  }
  return found;
}

/** The members of the object at `at`, in their order, also those that a later one of the same name replaces. */
export function* members(text: string, at = 0): Generator<MemberSpan> {
  let member = firstMember(text, at);
  for (; member !== undefined; member = memberAfter(text, member)) {
    const { start, end } = member;
    const name = readString(text, { start: member.quote, end: member.nameEnd });
    if (name === undefined) return;
    yield { name, start, end };
  }
}

/** The items of the array at `at`. */
export function* items(text: string, at = 0): Generator<Span> {
  let next = skipSpace(text, at);
  if (text.charCodeAt(next) !== OPEN_ARRAY) return;
  do {
    const item = valueSpan(text, next + 1);
    if (item === undefined) return;
    yield item;
    next = skipSpace(text, item.end);
  } while (text.charCodeAt(next) === COMMA);
}

/** Whether the JSON in `text` has more than `maxDepth` levels; for other text it may say either. */
export function isNestedDeeper(text: string, maxDepth: number): boolean {
  // Each level begins and ends.
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let index = 0; index < text.length;) {
    const char = text.charCodeAt(index);
    if (char === QUOTE) {
      index = skipString(text, index);
      if (index === -1) return false;
      continue;
    }
    index++;
    if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      if (++depth > maxDepth) return true;
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) depth--;
  }
  return false;
}

/** A member whose name has not been read. */
interface RawMember extends Span {
  /** Where its name begins and ends, quotes included. */
  quote: number;
  nameEnd: number;
}

function firstMember(text: string, at: number): RawMember | undefined {
  const open = skipSpace(text, at);
  return text.charCodeAt(open) === OPEN_OBJECT ? memberAt(text, open + 1) : undefined;
}

function memberAfter(text: string, { end }: RawMember): RawMember | undefined {
  const comma = skipSpace(text, end);
  return text.charCodeAt(comma) === COMMA ? memberAt(text, comma + 1) : undefined;
}

function memberAt(text: string, at: number): RawMember | undefined {
  const quote = skipSpace(text, at);
  if (text.charCodeAt(quote) !== QUOTE) return undefined;
  const nameEnd = skipString(text, quote);
  const colon = skipSpace(text, nameEnd);
  if (nameEnd === -1 || text.charCodeAt(colon) !== COLON) return undefined;
  const start = skipSpace(text, colon + 1);
  const end = skipValue(text, start);
  return end === -1 ? undefined : { quote, nameEnd, start, end };
}

/** Most names are written as they are; one with escapes is longer than what it means. */
function isNamed(text: string, { quote, nameEnd }: RawMember, name: string): boolean {
  const length = nameEnd - quote - 2;
  if (length <= name.length) return length === name.length && text.startsWith(name, quote + 1);
  return readString(text, { start: quote, end: nameEnd }) === name;
}

function readString(text: string, { start, end }: Span): string | undefined {
  const inner = text.slice(start + 1, end - 1);
  if (!inner.includes("\\")) return inner;
  try {
    return JSON.parse(text.slice(start, end));
  } catch {
    return undefined;
  }
}

/** Index after the value that begins at `at`; -1 if none does, or it has no end. */
function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return skipString(text, at);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return skipBrackets(text, at);
  let end = at;
  while (end < text.length && !isEnd(text.charCodeAt(end))) end++;
  return end === at ? -1 : end;
}

function skipBrackets(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length;) {
    const char = text.charCodeAt(index);
    if (char === QUOTE) {
      index = skipString(text, index);
      if (index === -1) return -1;
      continue;
    }
    index++;
    if (char === OPEN_OBJECT || char === OPEN_ARRAY) depth++;
    else if ((char === CLOSE_OBJECT || char === CLOSE_ARRAY) && --depth === 0) return index;
  }
  return -1;
}

function skipString(text: string, at: number): number {
  let index = at + 1;
  for (const near = Math.min(text.length, index + SHORT_CHARS); index < near; index++) {
    const char = text.charCodeAt(index);
    if (char === QUOTE) return index + 1;
    if (char === BACKSLASH) index++;
  }
  for (let from = index;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return -1;
    // A quote after an odd number of backslashes is part of the string.
    let before = quote;
    while (before > index && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

function skipSpace(text: string, at: number): number {
  let index = at;
  while (isSpace(text.charCodeAt(index))) index++;
  return index;
}

function isSpace(char: number): boolean {
  return char === 32 || char === 10 || char === 13 || char === 9;
}

function isEnd(char: number): boolean {
  return char === COMMA || char === CLOSE_OBJECT || char === CLOSE_ARRAY || char === COLON ||
    char === QUOTE || char === OPEN_OBJECT || char === OPEN_ARRAY || isSpace(char);
}
