import { assertEquals } from "@std/assert";
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
