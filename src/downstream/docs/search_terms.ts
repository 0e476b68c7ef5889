/** Texts → the words they are searched by. Pure. */

/** Scripts that are written without spaces: each letter is a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Longest text that is looked at. */
const MAX_CHARS = 4000;

/** Longest word; of a longer one its beginning counts. */
const MAX_TERM_CHARS = 64;

/** The words of a text or of a name: `getUser_byID` → get, user, by, id, getuser. */
export function toSearchTerms(text: string): string[] {
  const words = text.slice(0, MAX_CHARS).normalize("NFKC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const terms = words.flatMap((word) => {
    if (UNSPACED.test(word)) return [...word];
    const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+/gu) ?? [word];
    return parts.length > 1 ? [...parts, word] : parts;
  });
  return [...new Set(terms.map((term) => term.toLowerCase().slice(0, MAX_TERM_CHARS)))];
}
