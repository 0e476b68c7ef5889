import { assertEquals, assertRejects } from "@std/assert";
import { type Client, ProtocolError } from "@modelcontextprotocol/client";
import { listTools, toListedTool } from "../../../../src/downstream/catalog/list_tools.ts";
import { AppError } from "../../../../src/shared/errors.ts";
import { createLogger } from "../../../../src/shared/log.ts";

const log: string[] = [];
const options = {
  server: "s",
  log: createLogger("warn", (line) => log.push(line)),
  timeoutMs: 1000,
  signal: new AbortController().signal,
};

/** A client whose `tools/list` is answered by a function. */
function fakeClient(
  page: (cursor: string | undefined) => unknown,
  era: "legacy" | "modern" = "legacy",
): Client {
  const request = ({ params }: { params: { cursor?: string } }) =>
    Promise.resolve().then(() => page(params.cursor));
  return { request, getProtocolEra: () => era } as unknown as Client;
}

Deno.test("toListedTool() makes the best of an odd tool", () => {
  const schema = { type: "object" };
  assertEquals(toListedTool({ name: "a" }), { name: "a", description: "", inputSchema: schema });
  assertEquals(
    toListedTool({
      name: "a",
      description: 7,
      inputSchema: "x",
      outputSchema: [],
      annotations: {},
    }),
    { name: "a", description: "", inputSchema: schema },
  );
  assertEquals(toListedTool({ name: 7 }), undefined);
  assertEquals(toListedTool(null), undefined);
});

Deno.test("listTools() keeps the good tools of a list, each name once", async () => {
  const client = fakeClient(() => ({
    tools: [{ name: "a" }, 7, { name: "a", description: "again" }],
  }));
  assertEquals((await listTools(client, options)).map(({ description }) => description), [""]);
});

Deno.test("listTools() ends where the pages go round in a circle", async () => {
  const next: Record<string, string> = { start: "x", x: "y", y: "x" };
  const client = fakeClient((cursor = "start") => ({
    tools: [{ name: cursor }],
    nextCursor: next[cursor],
  }));
  assertEquals((await listTools(client, options)).map(({ name }) => name), ["start", "x", "y"]);
});

Deno.test("listTools() gives up on a list without end", async () => {
  let count = 0;
  const endless = fakeClient(() => ({ tools: [{ name: `t${count}` }], nextCursor: `${count++}` }));
  await assertRejects(() => listTools(endless, options), AppError, "does not end");
  assertEquals(count, 1000);
});

Deno.test("listTools() gives up on a list that is too large, on one page or on many", async () => {
  const description = "x".repeat(1024 * 1024);
  const tools = Array.from({ length: 40 }, (_, at) => ({ name: `t${at}`, description }));
  const error = "its list of tools is too large: the first 32 take more than 32 MiB";
  await assertRejects(() => listTools(fakeClient(() => ({ tools })), options), AppError, error);
  let count = 0;
  const paged = fakeClient(() => ({ tools: [tools[count]], nextCursor: `${count++}` }));
  await assertRejects(() => listTools(paged, options), AppError, error);
  const inputSchema = { type: "object", enum: Array.from({ length: 1_100_000 }, () => []) };
  const structured = fakeClient(() => ({ tools: [{ name: "a", inputSchema }] }));
  await assertRejects(() => listTools(structured, options), AppError, "too large");
  const large = fakeClient(() => ({ tools: tools.slice(0, 31) }));
  assertEquals((await listTools(large, options)).length, 31);
});

Deno.test("listTools() finds no tools at a server that does not know the method", async () => {
  const client = fakeClient(() => {
    throw new ProtocolError(-32601, "Method not found");
  });
  assertEquals(await listTools(client, options), []);
});

Deno.test("listTools() leaves out a tool of 2026 whose headers are against the protocol, and says so", async () => {
  const bad = { type: "object", properties: { a: { type: "array", "x-mcp-header": "A" } } };
  const page = () => ({ tools: [{ name: "bad", inputSchema: bad }, { name: "good" }] });
  const namesOf = async (era: "legacy" | "modern") =>
    (await listTools(fakeClient(page, era), options)).map(({ name }) => name);
  assertEquals(await namesOf("legacy"), ["bad", "good"]);
  assertEquals(log, []);
  assertEquals(await namesOf("modern"), ["good"]);
  assertEquals(log, [
    'mcp-bridge warn: Left out the tool "bad" of "s": ' +
    'x-mcp-header of "a" needs the type string, integer or boolean',
  ]);
});
