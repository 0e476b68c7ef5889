import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { BoundedText, type Cut } from "../../../src/session/output.ts";

function fill(budget: number, pieces: readonly string[]): BoundedText {
  const text = new BoundedText(budget);
  for (const piece of pieces) text.append(piece);
  return text;
}

Deno.test("BoundedText gives a text within its limit as it was", () => {
  fc.assert(fc.property(fc.array(fc.string()), (pieces) => {
    const whole = pieces.join("");
    const text = fill(1000, pieces);
    if (whole.length <= 1000) assertEquals(text.render(1000, () => "CUT"), whole);
    assertEquals(text.chars, whole.length);
  }));
});

Deno.test("BoundedText keeps head and tail and counts what is between", () => {
  const line = fc.string({ maxLength: 40 }).map((text) => text.replaceAll("\n", ""));
  fc.assert(fc.property(fc.array(line, { minLength: 30, maxLength: 200 }), (lines) => {
    const whole = lines.map((text) => `${text}\n`).join("");
    fc.pre(whole.length > 200);
    const text = fill(200, lines.map((text) => `${text}\n`));
    let cut: Cut | undefined;
    const shown = text.render(200, (what) => {
      cut = what;
      return "<CUT>";
    });
    const [head, tail] = shown.split("<CUT>\n") as [string, string];
    const kept = head.replace(/\n$/, "").length;
    assert(whole.startsWith(head.slice(0, kept)));
    assert(whole.endsWith(tail));
    assert(shown.length <= 200 + "\n<CUT>\n".length);
    assertEquals(
      cut!.chars,
      whole.length - tail.length - (whole.startsWith(head) ? head.length : kept),
    );
  }));
});

Deno.test("BoundedText cuts at the ends of lines", () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at}\n`);
  const shown = fill(100, lines).render(100, ({ lines }) => `[${lines} lines]`);
  assertEquals(shown.split("\n")[0], "line 0");
  assert(shown.split("\n").every((line) => /^(line \d+|\[\d+ lines\]|)$/.test(line)), shown);
  assertStringIncludes(shown, "line 99\n");
});

Deno.test("BoundedText cuts a line that is longer than everything", () => {
  const shown = fill(100, ["x".repeat(1_000_000)]).render(100, ({ chars }) => `[${chars}]`);
  assertEquals(shown, `${"x".repeat(50)}\n[999900]\n${"x".repeat(50)}`);
});

Deno.test("BoundedText does not cut a character in two", () => {
  const shown = fill(100, ["🎉".repeat(1000), "a"]).render(99, () => "|");
  assertEquals(shown.isWellFormed(), true);
});

Deno.test("BoundedText stays small whatever is appended", () => {
  const text = new BoundedText(1000);
  const piece = "x".repeat(999) + "\n";
  for (let at = 0; at < 100_000; at++) text.append(piece);
  assertEquals(text.chars, 100_000_000);
  assert(text.render(1000, () => "").length <= 1002);
});

Deno.test("lastLine() is the last line that is not blank", () => {
  assertEquals(fill(100, ["a\nb", "c\n\n"]).lastLine(10), "bc");
  assertEquals(new BoundedText(100).lastLine(10), "");
  assertEquals(fill(10, ["x".repeat(50), "\nend\n"]).lastLine(10), "end");
});
