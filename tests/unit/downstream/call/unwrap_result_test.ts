import { assertEquals } from "@std/assert";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { CallOutcome } from "../../../../src/downstream/downstream.ts";
import { unwrapResult as unwrapRead } from "../../../../src/downstream/call/unwrap_result.ts";
import { JsonText } from "../../../../src/shared/json/json_text.ts";

const text = (value: string) => ({ type: "text" as const, text: value });
const value = (it: unknown): CallOutcome => ({ kind: "value", value: JsonText.of(it) });

const unwrapResult = (result: CallToolResult, outputSchema?: Record<string, unknown>) =>
  unwrapRead({ result, text: JsonText.of(result) }, outputSchema);
const wrapper = {
  type: "object",
  properties: { result: { type: "integer" } },
  required: ["result"],
};

Deno.test("unwrapResult() prefers structured content to text", () => {
  const result = { content: [text('{"a": 2}')], structuredContent: { a: 1 } };
  assertEquals(unwrapResult(result, undefined), value({ a: 1 }));
});

Deno.test("unwrapResult() opens a lone result that the schema declares, and no other", () => {
  const result: CallToolResult = { content: [], structuredContent: { result: 7 } };
  assertEquals(unwrapResult(result, wrapper), value(7));
  assertEquals(unwrapResult(result, undefined), value({ result: 7 }));
  assertEquals(unwrapResult(result, { type: "object" }), value({ result: 7 }));
  const two = { ...wrapper, properties: { ...wrapper.properties, more: {} } };
  assertEquals(unwrapResult(result, two), value({ result: 7 }));
  const more = { content: [], structuredContent: { result: 7, more: 1 } };
  assertEquals(unwrapResult(more, wrapper), value({ result: 7, more: 1 }));
});

Deno.test("unwrapResult() takes the text of a value as it came, not what JavaScript makes of it", () => {
  const json = '{ "2": 1.0, "1": 12345678901234567890, "1": -0.0 }';
  const unwrap = (text: string, schema?: Record<string, unknown>) => {
    const outcome = unwrapRead({ result: JSON.parse(text), text: new JsonText(text) }, schema);
    return outcome.kind === "value" ? outcome.value.text : outcome.kind;
  };
  assertEquals(unwrap(`{"content":[],"structuredContent":${json}}`), json);
  assertEquals(unwrap(`{"structuredContent":{},"structuredContent":${json},"content":[]}`), json);
  const wrapped = `{"structuredContent": {"result": 1, "resu\\u006ct" : ${json} } }`;
  assertEquals(unwrap(wrapped, wrapper), json);
});

Deno.test("unwrapResult() says which text may be JSON: where the tool promised nothing else", () => {
  const cases: Array<[string, boolean]> = [
    ['{"a": [1]}', true],
    [" [1, 2]\n", true],
    ["{not json", true],
    ["12", false],
    ['"quoted"', false],
    ["true", false],
    ["plain", false],
    ["", false],
  ];
  for (const [sent, mayBeJson] of cases) {
    const outcome: CallOutcome = { kind: "text", text: sent, mayBeJson };
    assertEquals(unwrapResult({ content: [text(sent)] }), outcome);
  }
  const promised: CallOutcome = { kind: "text", text: "[1]", mayBeJson: false };
  assertEquals(unwrapResult({ content: [text("[1]")] }, { type: "object" }), promised);
});

Deno.test("unwrapResult() gives several items as they are, text as text", () => {
  const result: CallToolResult = {
    content: [
      text("[1]"),
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "a:b", text: "inside" } },
      { type: "resource", resource: { uri: "a:c", blob: "aGk=", mimeType: "application/pdf" } },
      { type: "resource", resource: { uri: "a:d", blob: "aGk=" } },
      { type: "resource_link", uri: "a:e", name: "e" },
    ],
  };
  assertEquals(unwrapResult(result, undefined), {
    kind: "content",
    content: [
      { type: "text", text: "[1]" },
      { type: "blob", mime_type: "image/png", data: "aGk=" },
      { type: "blob", mime_type: "audio/wav", data: "aGk=" },
      { type: "text", text: "inside" },
      { type: "blob", mime_type: "application/pdf", data: "aGk=", uri: "a:c" },
      { type: "blob", mime_type: "application/octet-stream", data: "aGk=", uri: "a:d" },
      { type: "link", uri: "a:e", name: "e" },
    ],
  });
});

Deno.test("unwrapResult() never turns a single image into text", () => {
  const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
  assertEquals(unwrapResult({ content: [image] }, undefined), {
    kind: "content",
    content: [{ type: "blob", mime_type: "image/png", data: "aGk=" }],
  });
});

Deno.test("unwrapResult() gives the bytes where structured content only says the same again", () => {
  const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
  const blob: CallOutcome = {
    kind: "content",
    content: [{ type: "blob", mime_type: "image/png", data: "aGk=" }],
  };
  const again = { content: [image], structuredContent: { content: [image] } };
  assertEquals(unwrapResult(again), blob);
  for (
    const structuredContent of [
      { content: [image], more: 1 },
      { content: [{ ...image, data: "aG8=" }] },
      { content: [] },
      { image },
    ]
  ) {
    const result = { content: [image], structuredContent };
    assertEquals(unwrapResult(result), value(structuredContent));
  }
  // A text is the same both ways: what was promised stays.
  const texts = { content: [text("a")], structuredContent: { content: [text("a")] } };
  assertEquals(unwrapResult(texts), value(texts.structuredContent));
});

Deno.test("unwrapResult() gives nothing for nothing", () => {
  assertEquals(unwrapResult({ content: [] }, undefined), value(null));
});

Deno.test("unwrapResult() reports a failure in the server's own words", () => {
  const failed = (result: Partial<CallToolResult>) => {
    const outcome = unwrapResult({ content: [], isError: true, ...result }, undefined);
    return outcome.kind === "failed" ? outcome.message : outcome.kind;
  };
  assertEquals(
    failed({ content: [text("No such city"), text("Try Oslo")] }),
    "No such city\nTry Oslo",
  );
  assertEquals(failed({ structuredContent: { code: 7 } }), '{"code":7}');
  assertEquals(failed({}), "The tool failed and did not say why");
  const result = { content: [text("no")], isError: true };
  assertEquals(unwrapResult(result, undefined), {
    kind: "failed",
    message: "no",
    result: JsonText.of(result),
  });
});
