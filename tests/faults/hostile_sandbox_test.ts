/** Sandboxes that speak the protocol against the host: it stays awake, small and right. */
import { assertEquals, assertLess, assertMatch } from "@std/assert";
import { forRun } from "../../src/downstream/for_run.ts";
import { createRpcRouter } from "../../src/rpc/router.ts";
import type { CallOutcome } from "../../src/downstream/downstream.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import { FakeDownstream } from "../support/fake_downstream.ts";
import { hostileEngine } from "../support/hostile_engine.ts";
import { HostProbe } from "../support/host_probe.ts";
import { rpcDeps } from "../support/rpc_deps.ts";
import { TestSession } from "../support/sessions.ts";

/** A limit is kept when its run is over within this time beyond it: the interrupt's own two seconds, and five. */
const PAST_LIMIT_MS = 7000;

const LIMIT_SECONDS = 1;

/** A server that passes the text of arguments on, as the real ones do, and never answers. */
class Downstream extends FakeDownstream {
  override async callTool(...call: Parameters<FakeDownstream["callTool"]>): Promise<CallOutcome> {
    if (call[1] === "never") return await new Promise(() => {});
    return await super.callTool(...call);
  }
}

/** One for all, so that what is measured is what the host makes of it. */
const BIG = new JsonText(`"${"x".repeat(8_000_000)}"`);

const downstream = new Downstream({
  s: [{
    name: "big",
    call: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return { kind: "value", value: BIG };
    },
  }],
});

interface Attack {
  /** What the sandbox does, in JavaScript; see `hostile_engine.ts`. */
  program: string;
  /** How its run ends. */
  error: RegExp;
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  "64 replies of 8 MB that are not read": {
    program: `await runId();
      write(request('{"type":"call_tool","server":"s","tool":"big"}').repeat(64));
      await new Promise(() => setInterval(() => {}, 1000));`,
    error: /does not read its replies|timed out/,
  },
  "arrays of 12 million empty lists in place of arguments": {
    program: `await runId();
      const call = '{"type":"call_tool","server":"s","tool":"never","arguments":[' + "[],".repeat(12e6) + "[]]}";
      const line = new TextEncoder().encode(request(call));
      for (;;) write(line);`,
    error: /A message holds \d+ values; at most 10000 are taken|timed out/,
  },
  "objects of 12 million empty lists as arguments": {
    program: `await runId();
      const call = '{"type":"call_tool","server":"s","tool":"never","arguments":{"a":[' + "[],".repeat(12e6) + "[]]}}";
      const line = new TextEncoder().encode(request(call));
      for (;;) write(line);`,
    error: /requests and unread replies of more than 256 MiB were waiting|timed out/,
  },
  "lists of 60,000 lists that stay below every limit of a line": {
    program: `await runId();
      const call = '{"type":"call_tool","server":"s","tool":"never","arguments":[' + "[],".repeat(60e3) + "[]]}";
      const line = new TextEncoder().encode(request(call).repeat(100));
      for (;;) write(line);`,
    error: /requests and unread replies|timed out/,
  },
  "requests without end that are answered from memory": {
    program: `await runId();
      const line = new TextEncoder().encode(request('{"type":"list_servers"}').repeat(10000));
      for (;;) write(line);`,
    error: /timed out|requests|does not read/,
  },
  "lines without end that ask for nothing": {
    program: `const id = await runId();
      const other = '{"type":"stdout","id":"other","data":"' + "x".repeat(200e3) + '"}\\n';
      const line = new TextEncoder().encode('{"type":"pong"}\\n'.repeat(100) + "\\n".repeat(1e5) + other);
      for (;;) write(line);`,
    error: /timed out/,
  },
  "100,000 calls that never end": {
    program: `await runId();
      const line = new TextEncoder().encode(request('{"type":"call_tool","server":"s","tool":"never"}').repeat(10000));
      for (;;) write(line);`,
    error: /more than 100,000 requests were waiting/,
  },
};

for (const [what, { program, error }] of Object.entries(ATTACKS)) {
  Deno.test(`the host outlives ${what}, and keeps the run's limit`, async () => {
    await using session = new TestSession(hostileEngine(program), {
      rpc: createRpcRouter(rpcDeps()),
      forRun: forRun(downstream),
    });
    using probe = new HostProbe();
    const startedAt = performance.now();
    const result = await session.run("x = 1", { servers: ["s"], timeoutSeconds: LIMIT_SECONDS });
    const ms = performance.now() - startedAt;
    probe.assertWithin(what);
    assertMatch(result.error ?? "", error);
    assertEquals(["error", "timeout"].includes(result.status), true, result.status);
    assertLess(ms, LIMIT_SECONDS * 1000 + PAST_LIMIT_MS);
  });
}
