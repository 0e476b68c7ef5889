/** The manual is read by models: it is short, and its title is what they look for. */
import { assertEquals, assertLessOrEqual } from "@std/assert";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

const MANUAL = await Deno.readTextFile(
  new URL("../../runtime/python/sandbox_runtime/manual.md", import.meta.url),
);

Deno.test("the manual begins with its title", () => {
  assertEquals(MANUAL.split("\n")[0], "# PYTHON SANDBOX MANUAL");
});

Deno.test("the manual costs at most 1,200 tokens", () => {
  assertLessOrEqual(encode(MANUAL).length, 1200);
});
