/**
 * Names of servers and tools → names that Python code can write. Pure. The map is one to one, and a name
 * that was made up never equals one that is real, so that no call can reach another tool than it says.
 */

/** What stands for a name that is empty. */
export type AliasKind = "server" | "tool";

/** Hard keywords in lower case; soft ones (`match`, `type` …) are fine as names. */
const KEYWORDS: ReadonlySet<string> = new Set(
  ("and as assert async await break class continue def del elif else except finally for from global " +
    "if import in is lambda nonlocal not or pass raise return try while with yield").split(" "),
);

const IDENTIFIER = /^[\p{XID_Start}_][\p{XID_Continue}]*$/u;

/** Whether Python reads `name`, as it is, as one identifier. */
export function isPythonName(name: string): boolean {
  return IDENTIFIER.test(name) && name.normalize("NFKC") === name && !KEYWORDS.has(name) &&
    !["None", "True", "False", "__debug__"].includes(name);
}

/**
 * Aliases of `names`, in their order. `previous` holds aliases given before: each is kept as long as it is
 * free, so that code which uses one goes on working when other names come and go.
 */
export function assignAliases(
  names: readonly string[],
  kind: AliasKind,
  previous: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const wanted = new Map(names.map((name) => [name, toAliasBase(name, kind)]));
  const real = new Set([...wanted.keys()].filter(isPythonName));
  const aliases = new Map<string, string>();
  const taken = new Set<string>();
  const give = (name: string, alias: string) => {
    aliases.set(name, alias);
    taken.add(alias);
  };
  const isFree = (alias: string, name: string) =>
    !taken.has(alias) && (alias === name || !real.has(alias));
  for (const [name, base] of wanted) {
    const kept = previous.get(name);
    // What was stored is checked like any other text: the file may have been changed.
    const fits = kept !== undefined && isPythonName(kept) && isOfBase(kept, base);
    if (fits && isFree(kept, name)) give(name, kept);
  }
  // Where the search for a free one goes on: what is taken stays so.
  const nextCount = new Map<string, number>();
  for (const [name, base] of wanted) {
    if (aliases.has(name)) continue;
    let count = nextCount.get(base) ?? 2;
    let alias = base;
    for (; !isFree(alias, name); count++) alias = `${base}_${count}`;
    nextCount.set(base, count);
    give(name, alias);
  }
  return new Map([...wanted.keys()].map((name) => [name, aliases.get(name)!]));
}

/** The alias a name would have if it were alone. */
function toAliasBase(name: string, kind: AliasKind): string {
  if (name === "") return kind;
  const letters = name.normalize("NFKC").toLowerCase().normalize("NFKC")
    .replaceAll(/[^\p{XID_Continue}]+/gu, "_");
  const started = /^[\p{XID_Start}_]/u.test(letters) ? letters : `_${letters}`;
  return KEYWORDS.has(started) ? `${started}_` : started;
}

function isOfBase(alias: string, base: string): boolean {
  return alias === base ||
    (alias.startsWith(`${base}_`) && /^_\d+$/.test(alias.slice(base.length)));
}
