import { assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { Conversation, type Leg } from "../../../../src/server/questions/conversation.ts";
import { carryOn, resume } from "../../../../src/server/questions/modern_call.ts";
import { ParkedRuns } from "../../../../src/server/questions/parked_runs.ts";
import { toCompactResult } from "../../../../src/server/answer/tool_result.ts";
import type { Asker } from "../../../../src/questions/asker.ts";
import type { RunResult } from "../../../../src/session/run_result.ts";
import { AppError } from "../../../../src/shared/errors.ts";
import { runResult } from "../../../support/server_fixtures.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const SESSION = "a";

const ABLE = {
  client: "c",
  form: true,
  url: false,
  sampling: false,
  samplingTools: false,
  roots: false,
};

function leg(): Leg {
  return { signal: new AbortController().signal };
}

/** A conversation whose run asks by `body` and ends cancelled when it is. */
function converse(body: (asker: Asker) => Promise<string>, first: Leg = leg()) {
  let wasCancelled = false;
  const conversation = new Conversation(
    ({ signal, asker }) => {
      const cancelled = new Promise<RunResult>((resolve) => {
        signal!.addEventListener("abort", () => {
          wasCancelled = true;
          resolve(runResult({ status: "cancelled" }));
        });
      });
      const ran = body(asker!).then((stdout) => runResult({ stdout }));
      return Promise.race([ran, cancelled]);
    },
    ABLE,
    first,
  );
  return { conversation, wasCancelled: () => wasCancelled };
}

function ask(asker: Asker, message: string, signal = new AbortController().signal) {
  const question = { kind: "form", message, schema: { type: "object", properties: {} } } as const;
  return asker.ask({ server: "s", question, signal });
}

const never = () => new Promise<string>(() => {});

Deno.test("Conversation gives the result of a run that asks nothing", async () => {
  const { conversation } = converse(() => Promise.resolve("done"));
  const end = await conversation.next(leg());
  assertEquals(end, { result: runResult({ stdout: "done" }) });
});

Deno.test("Conversation gathers questions, keeps what is open, and goes on with the answers", async () => {
  const { conversation } = converse(async (asker) =>
    JSON.stringify(await Promise.all([ask(asker, "a"), ask(asker, "b")]))
  );
  const first = await conversation.next(leg());
  assertEquals(Object.keys("questions" in first ? first.questions : {}), ["q1", "q2"]);
  conversation.answer({ q2: { action: "decline" }, q9: { action: "accept" } });
  const second = await conversation.next(leg());
  assertEquals(Object.keys("questions" in second ? second.questions : {}), ["q1"]);
  conversation.answer({ q1: { action: "cancel" } });
  const end = await conversation.next(leg());
  const stdout = '[{"action":"cancel"},{"action":"decline"}]';
  assertEquals(end, { result: runResult({ stdout }) });
});

Deno.test("Conversation forgets a question whose call is over", async () => {
  const call = new AbortController();
  const { conversation } = converse(async (asker) =>
    await ask(asker, "a", call.signal).then(() => "answered", (error) => error.message)
  );
  await conversation.next(leg());
  call.abort();
  assertEquals(await conversation.next(leg()), {
    result: runResult({ stdout: "Cannot ask the user: the call is over" }),
  });
});

Deno.test("Conversation is cancelled by the call that waits, not by one before", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { conversation, wasCancelled } = converse(async (asker) => {
    await ask(asker, "a");
    return await never();
  }, first);
  await conversation.next(first);
  first.abort();
  assertEquals(wasCancelled(), false);
  conversation.answer({ q1: { action: "accept" } });
  const end = conversation.next(second);
  second.abort();
  assertEquals("result" in await end && wasCancelled(), true);
});

Deno.test("ParkedRuns gives a run to whoever brings its note, once", async () => {
  const parked = new ParkedRuns({ maxAskMs: 60_000 });
  const { conversation } = converse(never);
  const state = await parked.park(SESSION, conversation);
  assertEquals(await parked.take(SESSION, state), conversation);
  await assertRejects(() => parked.take(SESSION, state), AppError, "The run that asked is over");
  const again = await parked.park(SESSION, conversation);
  assertNotEquals(again, state);
  await parked.take(SESSION, again);
});

Deno.test("ParkedRuns takes no note that was changed, or of another process", async () => {
  const [parked, other] = [0, 1].map(() => new ParkedRuns({ maxAskMs: 60_000 }));
  const state = await parked!.park(SESSION, converse(never).conversation);
  const foreign = await other!.park(SESSION, converse(never).conversation);
  const changed = state.replace(/^v1\.(.)/, (_, char) => `v1.${char === "e" ? "f" : "e"}`);
  for (const forged of [foreign, changed, state.slice(1), `${state}A`, "", "x".repeat(100_000)]) {
    await assertRejects(
      () => parked!.take(SESSION, forged),
      AppError,
      "not one that this process gave out",
    );
  }
  await Promise.all([parked!.take(SESSION, state), other!.take(SESSION, foreign)]);
});

Deno.test("ParkedRuns cancels a run whose client does not come back", async () => {
  const parked = new ParkedRuns({ maxAskMs: 20 });
  const { conversation, wasCancelled } = converse(never);
  const state = await parked.park(SESSION, conversation);
  await sleep(100);
  assertEquals([wasCancelled(), parked.size], [true, 0]);
  await assertRejects(() => parked.take(SESSION, state), AppError, "The run that asked is over");
});

Deno.test("ParkedRuns waits less long for a run that others wait for", async () => {
  const parked = new ParkedRuns({ maxAskMs: 60_000, hurryMs: 20 });
  const [mine, others] = [converse(never), converse(never)];
  await parked.park(SESSION, mine.conversation);
  const state = await parked.park("b", others.conversation);
  parked.hurry(SESSION);
  await sleep(100);
  assertEquals([mine.wasCancelled(), others.wasCancelled(), parked.size], [true, false, 1]);
  await parked.take("b", state);
});

Deno.test("a session cannot resume a run that another has parked, and does not end its wait", async () => {
  const parked = new ParkedRuns({ maxAskMs: 60_000 });
  const { conversation, wasCancelled } = converse(async (asker) =>
    JSON.stringify(await ask(asker, "a"))
  );
  const call = { leg: leg(), parked, session: SESSION, format: toCompactResult };
  const asked = await carryOn(conversation, call);
  const requestState = String(asked["requestState"]);
  const back = (action: string) => ({ requestState, inputResponses: { q1: { action } } });
  const stolen = await resume(back("accept"), { ...call, session: "b" });
  assertEquals(stolen["isError"], true);
  assertMatch(JSON.stringify(stolen["content"]), /The run that asked is over/);
  assertEquals([wasCancelled(), parked.size], [false, 1]);
  const own = await resume(back("decline"), call);
  assertEquals(own["content"], [{ type: "text", text: '{"action":"decline"}' }]);
  assertEquals(parked.size, 0);
});

Deno.test("carryOn() refuses a question when too many runs wait, and the run goes on", async () => {
  const parked = new ParkedRuns({ maxAskMs: 60_000, maxParked: 0 });
  const { conversation } = converse(async (asker) =>
    await ask(asker, "a").then(() => "answered", (error) => error.message)
  );
  const call = { leg: leg(), parked, session: SESSION, format: toCompactResult };
  const answer = await carryOn(conversation, call);
  assertEquals(answer["content"], [{
    type: "text",
    text: "Cannot ask the user: too many runs are waiting for answers",
  }]);
});
