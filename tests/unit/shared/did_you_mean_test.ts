import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { didYouMean } from "../../../src/shared/did_you_mean.ts";

Deno.test("didYouMean() finds the nearest candidate", () => {
  assertEquals(didYouMean("wether", ["github", "weather", "feather"]), "weather");
  assertEquals(didYouMean("--memroy", ["--memory", "--pids"]), "--memory");
});

Deno.test("didYouMean() ignores case", () => {
  assertEquals(didYouMean("GITHUB", ["weather", "GitHub"]), "GitHub");
});

Deno.test("didYouMean() gives nothing when no candidate is near", () => {
  assertEquals(didYouMean("zz", ["weather", "github"]), undefined);
  assertEquals(didYouMean("weather", []), undefined);
});

Deno.test("didYouMean() does not compare a huge word with short candidates", () => {
  const started = performance.now();
  assertEquals(didYouMean("x".repeat(20_000_000), ["weather", "github"]), undefined);
  assertEquals(performance.now() - started < 1000, true);
});

/** Levenshtein's definition, word for word. */
function distance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  if (a[0] === b[0]) return distance(a.slice(1), b.slice(1));
  const [shortA, shortB] = [a.slice(1), b.slice(1)];
  return 1 + Math.min(distance(shortA, b), distance(a, shortB), distance(shortA, shortB));
}

Deno.test("didYouMean() gives a candidate exactly if one is as near as a typing error, the nearest", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 });
  fc.assert(fc.property(word, fc.array(word, { maxLength: 5 }), (word, candidates) => {
    const most = Math.min(3, Math.max(1, Math.floor(word.length / 3)));
    const near = candidates.filter((candidate) => distance(word, candidate) <= most);
    near.sort((a, b) => distance(word, a) - distance(word, b));
    const found = didYouMean(word, candidates);
    assertEquals(found === undefined, near.length === 0);
    if (found !== undefined) assertEquals(distance(word, found), distance(word, near[0]!));
  }));
});
