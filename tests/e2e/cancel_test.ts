/** A user who stops a run gets the session back at once, and progress of one that goes on. */
import { assert, assertEquals, assertGreater, assertLess, assertRejects } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { type ClientTarget, legacySdk, modernSdk } from "../support/client_targets.ts";
import { assertWithin, measure, pause } from "../support/figures.ts";
import { StdioClient } from "../support/stdio_client.ts";

/** The session is to be free within 500 ms; twice that allows for a busy machine. */
const FREE_MS = 1000;

/** Time for the code of a run to get going. */
const RUNNING_MS = 500;

const STUBBORN = "while True:\n  try:\n    while True: pass\n  except BaseException: pass";

for (
  const [what, code] of [
    ["a busy loop", "while True: pass"],
    ["time.sleep", "time.sleep(60)"],
    ["an await", "await asyncio.sleep(60)"],
    ["a gather of awaits", "await asyncio.gather(*(asyncio.sleep(60) for _ in range(10)))"],
    ["a loop of short awaits", "while True: await asyncio.sleep(0)"],
    ["a flood of output", "while True: print('x' * 100)"],
  ] as const
) {
  Deno.test(`a user who cancels ${what} goes on with the same variables`, async () => {
    await using home = new BridgeHome();
    await using client = await StdioClient.connect(home);
    await client.run("import asyncio, time\nx = 41");
    const { id } = client.start(code);
    await pause(RUNNING_MS);
    const ms = await measure(async () => {
      await client.notify("notifications/cancelled", { requestId: id, reason: "enough" });
      assertEquals(await client.text("print(x)"), "41");
    });
    assertWithin(`cancel of ${what} to the next answer`, ms, FREE_MS);
    assertEquals(client.messages.filter((message) => message.id === id), []);
  });
}

Deno.test("a user can cancel time.sleep again and again", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  await client.run("import time\nx = 41");
  let longestMs = 0;
  // When Python looks for an interrupt depends on what it did before: hence the different runs.
  for (let round = 0; round < 12; round++) {
    const { id } = client.start(`for n in range(${round}): pass\ntime.sleep(60)`);
    await pause(100);
    const ms = await measure(async () => {
      await client.notify("notifications/cancelled", { requestId: id });
      assertEquals(await client.text("print(x)"), "41");
    });
    longestMs = Math.max(longestMs, ms);
  }
  assertWithin("longest of 12 cancels of time.sleep", longestMs, FREE_MS);
});

Deno.test("a program that swallows the interrupt is killed and the next run works", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  await client.run("x = 41");
  const { id } = client.start(STUBBORN);
  await pause(RUNNING_MS);
  const ms = await measure(async () => {
    await client.notify("notifications/cancelled", { requestId: id });
    assertEquals(await client.text("print('x' in globals())"), "False");
  });
  // Two seconds of grace and a fresh interpreter.
  assertWithin("cancel of a stubborn program to the next answer", ms, 10_000);
  assertGreater(ms, 1900);
  assertEquals(client.messages.filter((message) => message.id === id), []);
});

Deno.test("a run that is cancelled while it waits for its turn never starts", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  const busy = client.start("import time\nx = 1\ntime.sleep(1)");
  const waiting = client.start("x = 2");
  await client.notify("notifications/cancelled", { requestId: waiting.id });
  await busy.reply;
  assertEquals(await client.text("print(x)"), "1");
  assertEquals(client.messages.filter((message) => message.id === waiting.id), []);
});

Deno.test("a cancellation that comes too late, or for nothing, does no harm", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  const { id, reply } = client.start("x = 41");
  await reply;
  await client.notify("notifications/cancelled", { requestId: id });
  await client.notify("notifications/cancelled", { requestId: "never sent" });
  assertEquals(await client.text("for n in range(10**6): pass\nprint(x)"), "41");
});

for (const target of [legacySdk, modernSdk]) {
  Deno.test(`${target.name}: a user who aborts a call goes on with the same variables`, async () => {
    await using home = new BridgeHome();
    await using connection = await target.connect(home);
    await connection.run({ code: "x = 41" });
    const abort = new AbortController();
    const call = connection.run({ code: "while True: pass" }, { signal: abort.signal });
    await pause(RUNNING_MS);
    const ms = await measure(async () => {
      abort.abort("enough");
      await assertRejects(() => call);
      const { content } = await connection.run({ code: "print(x)" });
      assertEquals(content[0]!.text, "41");
    });
    assertWithin(`${target.name}: abort to the next answer`, ms, FREE_MS);
  });
}

Deno.test("a user hears of a run of 7 s at least every 5 s", async () => {
  await Promise.all([rawProgress(), sdkProgress(legacySdk), sdkProgress(modernSdk)]);
});

const SLOW = "import time\nfor n in range(7):\n  print('step', n)\n  time.sleep(1)";

async function rawProgress(): Promise<void> {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  await client.run("1");
  const startedAt = performance.now();
  assertStep(await client.text(SLOW, { _meta: { progressToken: "p1" } }));
  const heard = client.messages.filter(({ method }) => method === "notifications/progress");
  const times = [startedAt, ...heard.map(({ atMs }) => atMs), performance.now()];
  const gaps = times.slice(1).map((time, at) => time - times[at]!);
  assertGreater(heard.length, 0);
  assertWithin("longest silence of a 7 s run", Math.max(...gaps), 5000);
  assert(heard.every(({ params }) => params!.progressToken === "p1"));
  assertRising(heard.map(({ params }) => params!.progress as number));
  for (const { params } of heard) assertStep(params!.message as string);
}

async function sdkProgress(target: ClientTarget): Promise<void> {
  await using home = new BridgeHome();
  await using connection = await target.connect(home);
  const heard: Array<{ progress: number; message?: string | undefined }> = [];
  const onprogress = (progress: typeof heard[number]) => void heard.push(progress);
  await connection.run({ code: SLOW }, { onprogress });
  assertGreater(heard.length, 0);
  assertRising(heard.map(({ progress }) => progress));
  assertStep(heard.at(-1)!.message ?? "");
}

function assertStep(text: string): void {
  assert(/^step \d/.test(text), text);
}

function assertRising(values: readonly number[]): void {
  for (const [at, value] of values.slice(1).entries()) assertLess(values[at]!, value);
}
