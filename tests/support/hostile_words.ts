/** Words that mean something to JavaScript's objects, wherever a foreign name may stand. */
export const HOSTILE_WORDS: readonly string[] = [
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "prototype",
  "then",
  "toJSON",
  "toLocaleString",
  "toString",
  "valueOf",
  "__defineGetter__",
  "__lookupSetter__",
];
