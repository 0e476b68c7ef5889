import { assert, assertEquals } from "@std/assert";
import { CallTexts } from "../../../../src/downstream/transport/call_texts.ts";
import { shorten } from "../../../../src/downstream/transport/long_message.ts";
import { JsonText } from "../../../../src/shared/json/json_text.ts";
import { Stretch } from "../../../../src/shared/stretch.ts";
import { Unread } from "../../../../src/shared/byte_budget.ts";

const LONG = 'é"\\\n'.repeat(60_000);

function answer(id: number, text: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
}

/** A call that was sent, with this id. */
function openCall(texts: CallTexts, id: number, unread?: Unread) {
  const call = texts.open(JsonText.of({}), { unread });
  const params = { name: "t", arguments: call.standIn };
  texts.sent({ jsonrpc: "2.0", id, method: "tools/call", params });
  return call;
}

Deno.test("shorten() leaves long strings out, each to be had as it came", () => {
  const text = JSON.stringify({ [LONG]: 1, a: [LONG, "short", { b: LONG + "!" }] });
  const { text: short, cut } = shorten(text)!;
  const [key, first, second] = [...cut.keys()];
  assertEquals(JSON.parse(short), { [key!]: 1, a: [first, "short", { b: second }] });
  assertEquals([...cut.values()].map((each) => each.parse()), [LONG, LONG, LONG + "!"]);
});

Deno.test("shorten() leaves alone what is short, and what has no end", () => {
  assertEquals(shorten('{"a":"b"}'), undefined);
  assertEquals(shorten(JSON.stringify(Array(50_000).fill("short"))), undefined);
  assertEquals(shorten(`{"a":"${"x".repeat(300_000)}`), undefined);
});

Deno.test("CallTexts gives the SDK a call's result without its long strings, and nothing else", async () => {
  const texts = new CallTexts();
  using call = openCall(texts, 7);
  const text = answer(7, LONG);
  const given = JSON.parse((await texts.came(text, new Stretch()))!);
  assert(JSON.stringify(given).length < 1000);
  assertEquals(call.cut?.get(given.result.content[0].text)?.parse(), LONG);
  assertEquals(call.answered("result", {}).parse(), JSON.parse(text).result);
  texts.sent({ jsonrpc: "2.0", id: 8, method: "resources/read" });
  assert(await texts.came(answer(8, LONG), new Stretch()) === answer(8, LONG));
  using refused = openCall(texts, 9);
  const error = { jsonrpc: "2.0", id: 9, error: { code: 1, message: LONG } };
  assert(await texts.came(JSON.stringify(error), new Stretch()) === JSON.stringify(error));
  assertEquals(refused.answered("error", {}).parse(), error.error);
});

Deno.test("CallTexts.settle() waits until a long answer is read, and not for whoever does not read", async () => {
  const texts = new CallTexts();
  const unread = new Unread();
  using _call = openCall(texts, 1, unread);
  await texts.came(answer(1, LONG), new Stretch());
  assertEquals(texts.isSettled, false);
  unread.add(20 * 1024 * 1024);
  setTimeout(() => unread.remove(10 * 1024 * 1024), 20);
  await texts.settle();
  assertEquals([texts.isSettled, unread.isLow], [true, true]);
  unread.add(20 * 1024 * 1024);
  using _other = openCall(texts, 2, unread);
  await texts.came(answer(2, LONG), new Stretch());
  await texts.settle();
  assertEquals(unread.isLow, false);
});
