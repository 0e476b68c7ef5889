/** A program that asks ten thousand times for what is not there pays for it itself, and nobody else does. */
import { assertEquals } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, fixture, type ServerConfig } from "../support/bridge_servers.ts";
import { assertWithin, measure, pause } from "../support/figures.ts";

/** Times of an answered request that a refused one may take; looking at every file makes it twenty and more. */
const MOST_TIMES = 15;

/** Longest wait of another request, many times what it takes. */
const WAIT_MS = 1000;

const FLOOD = `
import asyncio, time
async def refused(n):
    ask = runtime.query_tool_docs
    try:
        await (ask("bench", f"slee{n}") if n % 2 else ask(f"servr-{n}"))
    except runtime.MCPError as error:
        return str(error)
async def timed(asks):
    started = time.monotonic()
    answers = await asyncio.gather(*asks)
    return answers, round((time.monotonic() - started) * 1000)
_, answered = await timed([runtime.list_servers() for _ in range(10_000)])
texts, refused = await timed([refused(n) for n in range(10_000)])
print(answered, refused, len(set(texts)), texts[7], texts[88], sep="\\n")`;

Deno.test("10,000 requests for servers and tools that do not exist cost little more than answered ones, and no other request waits", async () => {
  await using home = new BridgeHome();
  const none: ServerConfig = { command: "/bin/false" };
  const others = Array.from({ length: 100 }, (_, index) => [`server-${index}`, none] as const);
  const servers = { bench: fixture("workbench"), ...Object.fromEntries(others) };
  await using client = await connectWithServers(home, servers);
  await client.run('await runtime.query_tool_docs("bench")', { timeout: 60 });
  let isOver = false;
  const flood = client.text(FLOOD, { timeout: 60 }).finally(() => isOver = true);
  let longestMs = 0;
  while (!isOver) {
    longestMs = Math.max(longestMs, await measure(() => client.request("tools/list").reply));
    await pause(5);
  }
  const [answeredMs, refusedMs, ...texts] = (await flood).split("\n");
  assertEquals(texts, [
    "10000",
    'Server "bench" has no tool "slee7"',
    '  hint: Did you mean "sleep"?',
    "Unknown MCP server: servr-88",
    '  hint: Did you mean "server-88"?',
  ]);
  assertWithin("10,000 refused requests", Number(refusedMs), MOST_TIMES * Number(answeredMs));
  assertWithin("The longest wait beside them", longestMs, WAIT_MS);
});
