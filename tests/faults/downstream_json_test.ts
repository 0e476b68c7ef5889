/**
 * Random results, schemas and tool lists of a hostile server, through everything of the host that reads them.
 * None costs more than its own call, none holds up the event loop, and memory does not grow.
 * `FUZZ_SEED=… FUZZ_RUNS=…` runs it again, or longer.
 */
import { REPORT_IT } from "../../src/downstream/connection/connect_error.ts";
import { assert, assertEquals } from "@std/assert";
import type { Client } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { assignAliases } from "../../src/languages/python/alias.ts";
import { findHeaderFault } from "../../src/downstream/transport/header_arguments.ts";
import { listTools } from "../../src/downstream/catalog/list_tools.ts";
import {
  mergeShapes,
  readShape,
  shapeOfJson,
} from "../../src/downstream/catalog/observed_shape.ts";
import { toStubs } from "../../src/languages/python/stub_text.ts";
import { findTool } from "../../src/downstream/catalog/catalog.ts";
import { toToolDoc } from "../../src/downstream/docs/tool_docs.ts";
import { ToolSearch } from "../../src/downstream/docs/tool_search.ts";
import { limitDepth, toReply } from "../../src/rpc/reply.ts";
import { toServerMetadata, toToolMetadata } from "../../src/rpc/run_servers.ts";
import { AppError } from "../../src/shared/errors.ts";
import { isNestedDeeper } from "../../src/shared/json/json_span.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import { createLogger } from "../../src/shared/log.ts";
import { formatHostMessage } from "../../src/wire/messages.ts";
import { calling, createRig, stub } from "../downstream/rig.ts";
import { hostileJson, hostileKey, hostileValue, objectOf } from "../support/hostile_json.ts";
import { HostProbe } from "../support/host_probe.ts";

const seed = Number(Deno.env.get("FUZZ_SEED") ?? crypto.getRandomValues(new Int32Array(1))[0]);
const scale = Number(Deno.env.get("FUZZ_RUNS") ?? 20_000) / 20_000;
const runs = (count: number) => ({ numRuns: Math.round(count * scale), seed, verbose: 1 as const });

/** Answers that have the id of the request; what is in them is left to chance. */
const answer: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: hostileJson.map((json) => result(`{"structuredContent":${json},"content":[]}`)),
  },
  {
    weight: 3,
    arbitrary: hostileJson.map((json) =>
      result(`{"content":[{"type":"text","text":${JSON.stringify(json)}}]}`)
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(hostileKey, hostileJson).map(([type, json]) =>
      result(
        `{"content":[{"type":${
          JSON.stringify(type)
        },"text":${json},"resource":${json},"data":${json}}]}`,
      )
    ),
  },
  { weight: 2, arbitrary: hostileJson.map((json) => result(`{"content":${json},"isError":true}`)) },
  { weight: 2, arbitrary: hostileJson.map((json) => result(`{"content":[],"_meta":${json}}`)) },
  { weight: 2, arbitrary: hostileJson.map(result) },
  { weight: 1, arbitrary: hostileJson.map((json) => `{"jsonrpc":"2.0","id":$id,"error":${json}}`) },
  {
    weight: 1,
    arbitrary: hostileJson.map((json) =>
      `{"jsonrpc":"2.0","id":$id,"error":{"code":1,"message":"no","data":${json}}}`
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(hostileKey, hostileJson).map(([key, json]) =>
      `{"jsonrpc":"2.0","id":$id,${JSON.stringify(key)}:${json}}`
    ),
  },
  { weight: 1, arbitrary: hostileJson.map((json) => `{"jsonrpc":${json},"id":$id,"result":{}}`) },
  {
    weight: 1,
    arbitrary: hostileJson.map((json) => `[${json},{"jsonrpc":"2.0","id":$id,"result":${json}}]`),
  },
);

function result(json: string): string {
  return `{"jsonrpc":"2.0","id":$id,"result":${json}}`;
}

/** What Python is sent for an outcome must be a line of JSON, whatever went into it. */
function assertSendable(payload: Parameters<typeof limitDepth>[0]): void {
  const line = formatHostMessage({
    type: "rpc_response",
    id: "q1",
    payload: limitDepth(payload, 1000),
  });
  assert(!line.slice(0, -1).includes("\n") && !isNestedDeeper(line, 1004));
  JSON.parse(line);
}

Deno.test("12,000 random results end their calls and nothing else", async () => {
  await using rig = await createRig({ s: stub("odd_json") });
  const call = (line: string) => {
    // A mark in the text would be taken for one of the stub's own.
    const text = line.replaceAll(/<(?=[^<>|]*\|\d+>)/g, "\\u003c");
    return rig.downstream.callTool("s", "say", JsonText.of({ line: text }), calling(60_000));
  };
  await call(result('{"content":[]}'));
  using probe = new HostProbe();
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 40, maxLength: 40 }), async (lines) => {
      await turn();
      await Promise.all(lines.map(async (line) => {
        try {
          assertSendable(toReply(await call(line)));
        } catch (error) {
          const isOfCall = error instanceof AppError && error.hint === REPORT_IT;
          if (!isOfCall) throw new Error(`${line.slice(0, 300)}: ${error}`, { cause: error });
        }
      }));
    }),
    { ...runs(300), endOnFailure: true },
  );
  const bad = rig.log.filter((line) => /Internal error|Disconnected/.test(line));
  assertEquals(bad, []);
  // Most of it is what is made up here; `hostile_json_test.ts` measures a bridge alone.
  probe.assertWithin(`12,000 results (FUZZ_SEED=${seed})`, { riseMiB: 800 });
});

/** Schemas that are nearly ones, and values that are none. */
const schema = fc.oneof(
  { weight: 4, arbitrary: objectOf(fc.constant("properties"), objectOf(hostileKey, hostileValue)) },
  { weight: 3, arbitrary: hostileJson.map((json) => JSON.parse(json)) },
  { weight: 2, arbitrary: objectOf(hostileKey, hostileValue, 8) },
);

const tool = fc.record({
  name: fc.oneof({ weight: 9, arbitrary: hostileKey }, hostileValue),
  description: fc.oneof(hostileKey, hostileValue),
  inputSchema: schema,
  outputSchema: schema,
}, { requiredKeys: ["name"] });

const entry = fc.oneof({ weight: 12, arbitrary: tool }, hostileValue);

Deno.test("6,000 random tools are listed, documented and found, or left out", async () => {
  const log = createLogger("error");
  const signal = new AbortController().signal;
  using probe = new HostProbe();
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 20, maxLength: 20 }), async (tools) => {
      await turn();
      const request = () => Promise.resolve({ tools });
      const client = { request, getProtocolEra: () => "modern" } as unknown as Client;
      const listed = await listTools(client, { server: "s", log, timeoutMs: 10_000, signal });
      const aliases = assignAliases(listed.map(({ name }) => name), "tool");
      assertEquals(new Set(aliases.values()).size, listed.length);
      const all = listed.map((one) => ({ ...one, alias: aliases.get(one.name)! }));
      const server = { name: "s", alias: "s", description: "", tools: all, revision: 1 };
      const docs = all.flatMap((one) => [
        toToolDoc(server, one, "full"),
        toToolDoc(server, { ...one, observed: shapeOfJson(JSON.stringify(one)) }, "summary"),
      ]);
      await turn();
      for (const one of all) {
        assertEquals(findTool(all, one.name), one);
        assertEquals(findHeaderFault(one.inputSchema), undefined);
      }
      const [first] = await new ToolSearch().search([server], all[0]?.name ?? "", 20);
      assert(first === undefined || all.includes(first.tool));
      const stubs = toStubs(server, all);
      await turn();
      assertSendable({ success: true, docs, stubs });
      assertSendable({ success: true, tools: await toToolMetadata(all) });
      assertSendable({ success: true, ...await toServerMetadata({ ...server, tools: all }) });
    }),
    { ...runs(300), endOnFailure: true },
  );
  probe.assertWithin(`6,000 tools (FUZZ_SEED=${seed})`);
});

Deno.test("2,000 random values have a shape, and any file of shapes can be read", async () => {
  using probe = new HostProbe();
  await fc.assert(
    fc.asyncProperty(hostileJson, hostileJson, async (a, b) => {
      await turn();
      const merged = mergeShapes(shapeOfJson(a), shapeOfJson(b));
      assertEquals(readShape(JSON.parse(JSON.stringify(merged))), merged);
      const stored = readShape(JSON.parse(a));
      if (stored !== undefined) JSON.stringify(mergeShapes(stored, merged));
      assertEquals(isNestedDeeper(a, 3), depthOf(JSON.parse(a)) > 3);
    }),
    { ...runs(2000), endOnFailure: true },
  );
  probe.assertWithin(`2,000 shapes (FUZZ_SEED=${seed})`);
});

/** What is made up here in one go is not the host's to answer for. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Levels of a value, counted another way; more than five are not. */
function depthOf(value: unknown, most = 5): number {
  if (typeof value !== "object" || value === null || most === 0) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((one) => depthOf(one, most - 1)));
}
