import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { JsonText } from "../../../../src/shared/json/json_text.ts";

Deno.test("JsonText stands in JSON as the text it is", () => {
  const text = new JsonText('{"10":1.0,"9":12345678901234567890}');
  const json = JSON.stringify({ before: "x", text, after: [1] });
  assertEquals(
    text.insertInto(json),
    '{"before":"x","text":{"10":1.0,"9":12345678901234567890},"after":[1]}',
  );
});

Deno.test("JsonText is one line, whatever the layout was", () => {
  const text = new JsonText('{\r\n  "a": [\n1 ]\r}');
  assertEquals(text.text.includes("\n") || text.text.includes("\r"), false);
  assertEquals(text.parse(), { a: [1] });
});

Deno.test("JsonText.insertInto() puts it in its own place, whatever else is there", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (value, other, name) => {
    const text = JsonText.of(value);
    const json = JSON.stringify({ a: other, [`x${name}`]: text, z: name });
    assertEquals(text.insertInto(json), JSON.stringify({ a: other, [`x${name}`]: value, z: name }));
  }));
});

Deno.test("JsonText.insertInto() leaves JSON alone that does not hold it", () => {
  assertEquals(new JsonText("1").insertInto('{"a":2}'), '{"a":2}');
});
