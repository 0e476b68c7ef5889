import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { printable } from "../../../src/shared/printable.ts";

Deno.test("printable() takes out what a terminal obeys, as a whole", () => {
  const cases = {
    "\x1b[31mred\x1b[0m": "red",
    "a\x1b]0;title\x07b\x1b]52;c;aGk=\x1b\\c": "abc",
    "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\": "link",
    "\x1bPq\x1b\\x\x1b(B\x1bcy": "xy",
    "\x1b]0;never ends": "",
    "\x1b": "\ufffd",
    "a\rb\nc\td": "a\ufffdb\ufffdc\ufffdd",
    "\x9b31m \u202egnp.exe\u2029": "\ufffd31m \ufffdgnp.exe\ufffd",
    "é ✓ שלום 👩‍💻": "é ✓ שלום 👩‍💻",
  };
  for (const [text, expected] of Object.entries(cases)) assertEquals(printable(text), expected);
  assertEquals(printable("a\r\nb\tc\rd", "lines"), "a\nb\tc\ufffdd");
});

Deno.test("printable() leaves nothing of the kind, in any text, and changes nothing twice", () => {
  const char = fc.oneof(
    fc.constantFrom(..."\x1b[]P^_\\\x07;0m\r\n\x9b\u202e"),
    fc.string({ unit: "binary", maxLength: 1 }),
  );
  fc.assert(fc.property(fc.array(char), (chars) => {
    const safe = printable(chars.join(""));
    // deno-lint-ignore no-control-regex
    assertEquals(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(safe), false);
    assertEquals(printable(safe), safe);
  }));
});
