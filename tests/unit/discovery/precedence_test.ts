import { assertEquals } from "@std/assert";
import { type Candidate, chooseEntries } from "../../../src/discovery/precedence.ts";
import type { SkippedEntry } from "../../../src/discovery/entry/server_entry.ts";
import { names, skips } from "./support.ts";

let line = 0;
const source = () => ({ client: "Cursor", file: "/home/a/.cursor/mcp.json", line: ++line });

function usable(name: string): Candidate {
  const transport = { kind: "auto" as const, url: "https://x", headers: {} };
  return { status: "usable", entry: { name, description: "", transport, source: source() } };
}

function skipped(name: string, status: SkippedEntry["status"]): Candidate {
  return { name, status, reason: "R", source: source() };
}

function choose(...candidates: Candidate[]): [servers: string[], skipped: string[]] {
  const discovered = chooseEntries(candidates);
  line = 0;
  return [names(discovered), skips(discovered)];
}

const SHADOWED = "Already defined by Cursor: mcp.json, line 1";

Deno.test("chooseEntries() lets the first of a name win and keeps the order", () => {
  assertEquals(choose(usable("a"), usable("b"), usable("a"), usable("A")), [
    ["a", "b", "A"],
    [`a shadowed 3: ${SHADOWED}`],
  ]);
});

Deno.test("chooseEntries() lets a switched-off entry hold its name", () => {
  assertEquals(choose(skipped("a", "disabled"), usable("a"), skipped("a", "disabled")), [
    [],
    ["a disabled 1: R", `a shadowed 2: ${SHADOWED}`, `a shadowed 3: ${SHADOWED}`],
  ]);
});

Deno.test("chooseEntries() lets no unusable entry hold a name", () => {
  for (const status of ["invalid", "self", "untrusted"] as const) {
    assertEquals(choose(skipped("a", status), usable("a")), [["a"], [`a ${status} 1: R`]]);
  }
});

Deno.test("chooseEntries() says of a name that is taken what matters most", () => {
  assertEquals(choose(usable("a"), skipped("a", "untrusted"), skipped("a", "invalid")), [
    ["a"],
    [`a shadowed 2: ${SHADOWED}`, "a invalid 3: R"],
  ]);
});
