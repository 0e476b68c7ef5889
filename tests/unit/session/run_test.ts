import { runReach } from "../../support/rpc_context.ts";
import { assertEquals, assertMatch } from "@std/assert";
import type { SandboxExit } from "../../../src/engine/engine.ts";
import type { RpcRouter } from "../../../src/rpc/router.ts";
import { ExitWatch } from "../../../src/session/sandbox_keeper.ts";
import { Run } from "../../../src/session/run.ts";
import { createLogger } from "../../../src/shared/log.ts";
import { RunHistory } from "../../../src/store/runs/run_history.ts";
import { RunStore } from "../../../src/store/runs/run_store.ts";
import { LineChannel } from "../../../src/wire/channel.ts";
import { linkStreams } from "../../support/server_fixtures.ts";

type Json = Record<string, unknown>;

/** Nested deeper than JavaScript can write where a key is a number. */
function deep(): unknown {
  let value: unknown = 1;
  for (let at = 0; at < 100_000; at++) value = { 5: value };
  return value;
}

/** Replies that cannot be sent, by the type of the request. */
const REPLIES: Readonly<Record<string, () => unknown>> = {
  deep,
  big: () => 1n,
  ring: () => {
    const ring: Json = {};
    return ring["ring"] = ring;
  },
  angry: () => ({
    toJSON() {
      throw new Error("no JSON of mine");
    },
  }),
  rejected: () => {
    throw new TypeError("nobody caught this");
  },
  good: () => 1,
};

const rpc: RpcRouter = async ({ type }) => {
  await Promise.resolve();
  return { success: true, value: REPLIES[type]!() };
};

/** The replies to one request of each type, as a sandbox gets them. */
async function askAll(near: { readable: ReadableStream; writable: WritableStream }) {
  const writer = near.writable.getWriter();
  const send = (message: Json) =>
    writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  const replies: Record<string, string> = {};
  let rest = "";
  let run: unknown;
  for await (const text of near.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.type === "execute") {
        run = message.id;
        for (const type of Object.keys(REPLIES)) {
          await send({ type: "rpc_request", id: type, payload: { type } });
        }
      } else replies[message.id] = message.payload.error ?? "good";
    }
    if (Object.keys(replies).length === Object.keys(REPLIES).length) break;
  }
  await send({ type: "execution_done", id: run, status: "ok" });
  return replies;
}

Deno.test("Run answers what it cannot send with an error, logs it, and goes on", async () => {
  const stateDir = await Deno.makeTempDir({ prefix: "mcp-bridge-test-" });
  const { client: near, server: far } = linkStreams();
  const log: string[] = [];
  const runs = new RunStore(stateDir);
  const exited = new Promise<SandboxExit>(() => {});
  const sandbox = {
    channel: new LineChannel(far.readable, far.writable),
    exited,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  try {
    const asked = askAll(near);
    const end = await new Run({ code: "", servers: [], timeoutSeconds: 30 }, 1000).execute({
      sandbox,
      exit: new ExitWatch(exited),
      loadRouter: () => Promise.resolve(rpc),
      reach: runReach(),
      told: { servers: [] },
      files: runs.newRun(),
      history: new RunHistory(runs),
      maxOutputChars: 1000,
      log: createLogger("error", (line) => log.push(line)),
    });
    assertEquals(end.done?.status, "ok");
    const { good, ...failed } = await asked;
    assertEquals(good, "good");
    for (const [type, error] of Object.entries(failed)) {
      assertMatch(error, new RegExp(`^The host failed to answer ${type}: .+`));
      const line = log.find((one) => one.includes(`while answering "${type}"`)) ?? "";
      assertMatch(line, /please report it: \w+: .*\n {4}at /s);
    }
    assertEquals([Object.keys(failed).length, log.length], [5, 5]);
  } finally {
    await runs.settled();
    await Deno.remove(stateDir, { recursive: true });
  }
});
