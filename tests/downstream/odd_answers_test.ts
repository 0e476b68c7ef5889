/** Answers that are none: each ends its call at once, with what is wrong with it, and nothing else. */
import { assertEquals, assertLess, assertRejects } from "@std/assert";
import { AppError } from "../../src/shared/errors.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import { answerLine } from "../fixtures/servers/odd_json.ts";
import { RawHttpServer } from "../fixtures/servers/raw_http.ts";
import { calling, createRig, type Rig, stub } from "./rig.ts";

/** A time that only a call that waits to its end takes. */
const SOON_MS = 10_000;

const GOOD = '{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","text":"good"}]}}';

/** An answer, and the reason that is given for it. */
const NONE: ReadonlyArray<[line: string, reason: string]> = [
  ['{"jsonrpc":"2.0","id":$id,"result":5}', 'its "result" is 5, not an object'],
  ['{"jsonrpc":"2.0","id":$id,"result":null}', 'its "result" is null, not an object'],
  ['{"jsonrpc":"2.0","id":$id,"result":[]}', 'its "result" is a list, not an object'],
  ['{"jsonrpc":"2.0","id":$id,"result":"done"}', 'its "result" is "done", not an object'],
  ['{"jsonrpc":"2.0","id":$id,"result":{"_meta":5}}', "JSON-RPC does not know it in this form"],
  ['{"jsonrpc":"2.0","id":$id}', 'it has neither a "result" nor an "error"'],
  [
    '{"jsonrpc":"2.0","id":$id,"error":"text"}',
    'its "error" is no object with an integer "code" and a "message"',
  ],
  [
    '{"jsonrpc":"2.0","id":$id,"error":{"code":"x","message":"no"}}',
    'its "error" is no object with an integer "code" and a "message"',
  ],
  [
    '{"jsonrpc":"2.0","id":$id,"result":{"content":[]},"error":{"code":1,"message":"no"}}',
    'it has both a "result" and an "error"',
  ],
  ['{"jsonrpc":"1.0","id":$id,"result":{"content":[]}}', 'its "jsonrpc" is "1.0", not "2.0"'],
  ['{"id":$id,"result":{"content":[]}}', 'its "jsonrpc" is missing, not "2.0"'],
  [
    '{"jsonrpc":"2.0","id":777777,"result":{"content":[]}}',
    'its "id" is 777777, which no request has',
  ],
  ['{"jsonrpc":"2.0","result":{"content":[]}}', 'its "id" is missing, which no request has'],
  [
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    'its "id" is null, which no request has, and says: Parse error',
  ],
  ['[{"jsonrpc":"2.0","id":$id,"result":5}]', 'its "result" is 5, not an object'],
  ['{"jsonrpc":"2.0","id":$id,"5":<[|20000><]|20000>}', 'it has neither a "result" nor an "error"'],
];

/** Answers that are good, however odd they look. */
const ALL_RIGHT: readonly string[] = [
  GOOD,
  GOOD.replace("$id", '"$id"'),
  `[${GOOD}]`,
  `[5,${GOOD}]`,
];

const NOTIFICATIONS: readonly string[] = [
  '{"jsonrpc":"2.0","method":"notifications/message","params":5}',
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"5":1,"z":<[|20000><]|20000>}}',
  '{"jsonrpc":"2.0","method":7,"z":{"5":<[|20000><]|20000>}}',
  '{"jsonrpc":"2.0","method":"notifications/message","z":{"5":<[|20000><]|20000>}}',
  '{"jsonrpc":"2.0","id":0,"result":{"content":[]}}',
  "[]",
  "[5]",
  "5",
  "null",
];

async function say({ downstream }: Rig, line: string): Promise<unknown> {
  const outcome = await downstream.callTool("s", "say", JsonText.of({ line }), calling(30_000));
  return outcome.kind === "text" ? outcome.text : outcome;
}

async function assertRefused(rig: Rig, line: string, reason: string): Promise<void> {
  const startedAt = performance.now();
  const error = await assertRejects(() => say(rig, line), AppError, undefined, line);
  assertEquals(
    error.describe(),
    `"s.say" answered with something that is no result of it: ${reason}\n` +
      "  hint: Report it to the maintainer of the server",
  );
  assertLess(performance.now() - startedAt, SOON_MS, line);
  assertEquals(await say(rig, GOOD), "good");
}

Deno.test("an answer that is none ends its call at once, and the next call works", async () => {
  await using rig = await createRig({ s: stub("odd_json") });
  for (const [line, reason] of NONE) await assertRefused(rig, line, reason);
  for (const line of ALL_RIGHT) assertEquals(await say(rig, line), "good", line);
  for (const line of NOTIFICATIONS) assertEquals(await say(rig, `${line}\n${GOOD}`), "good", line);
  assertEquals(rig.log.filter((line) => line.includes("Disconnected")), []);
});

for (const type of ["json", "events", "sse"] as const) {
  Deno.test(`an answer over HTTP (${type}) that is none ends its call at once`, async () => {
    await using server = new RawHttpServer({ type, staysOpen: true, answer: answerLine });
    const kind = type === "sse" ? "sse" : "http";
    await using rig = await createRig({ s: { kind, url: server.url, headers: {} } });
    for (const [line, reason] of NONE) await assertRefused(rig, line, reason);
    assertEquals(await say(rig, GOOD), "good");
  });
}

Deno.test("an answer to nothing that was asked ends no call where several are under way", async () => {
  await using rig = await createRig({ s: stub("odd_json") });
  await say(rig, GOOD);
  // The first call is answered with the second, whose own answer belongs to nobody.
  const first = say(rig, "");
  const second = say(rig, '{"jsonrpc":"2.0","id":777777,"result":{"content":[]}}');
  const third = say(rig, GOOD);
  assertEquals(await third, "good");
  const both = Promise.allSettled([first, second]);
  assertEquals(await Promise.race([both, say(rig, GOOD)]), "good");
  await rig.restart();
  await both;
});

Deno.test("resources and prompts that are none are refused at once, too", async () => {
  await using rig = await createRig({ s: stub("odd_json") });
  const content = await rig.downstream.content("s", calling(30_000));
  const startedAt = performance.now();
  for (const line of NONE.slice(0, 3).map(([line]) => line)) {
    await assertRejects(() => content.readResource(line), AppError, "no result of it");
    await assertRejects(() => content.getPrompt(line, {}), AppError, "no result of it");
  }
  assertLess(performance.now() - startedAt, SOON_MS);
});
