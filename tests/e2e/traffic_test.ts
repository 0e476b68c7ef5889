/** Many calls and big ones, from the sandbox to servers that are processes of their own, on each engine. */
import { assertEquals } from "@std/assert";
import { findBridgeEngines } from "../support/bridge_engines.ts";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, fixture, reference, textWith } from "../support/bridge_servers.ts";
import { assertWithin } from "../support/figures.ts";

/** Starts the servers, so that what follows measures calls alone. */
const START = `
import asyncio, time
async def timed(call):
    started = time.monotonic()
    value = await call
    print(round((time.monotonic() - started) * 1000))
    return value
kept = 41
await asyncio.gather(mcp_stub.echo(value=1), mcp_everything.echo(message="a"),
                     mcp_filesystem.list_allowed_directories())`;

const SIDE_BY_SIDE = `
texts = await timed(asyncio.gather(*[mcp_stub.sleep(ms=200) for _ in range(50)]))
print(texts == ["slept 200"] * 50)`;

/** No reply can be read before the first \`await\`. */
const MANY = `
async def many():
    calls = [asyncio.ensure_future(mcp_everything.echo(message=str(n))) for n in range(20_000)]
    return await asyncio.gather(*calls)
texts = await timed(many())
print(all(text == f"Echo: {n}" for n, text in enumerate(texts)), len(texts))`;

const BIG_ARGUMENT = 'print(await timed(mcp_stub.length(text="x" * 20_000_000)))';
const BIG_RESULT = "print(len(await timed(mcp_stub.size(bytes=20_000_000))))";
const BIG_FILE = 'print(len((await timed(mcp_filesystem.read_text_file(path=PATH)))["content"]))';

const TOO_BIG = `
for call in [lambda: mcp_stub.size(bytes=100_000_000), lambda: mcp_stub.length(text="x" * 100_000_000)]:
    try:
        print("GOT THROUGH", len(await call()))
    except runtime.MCPError as error:
        print(error)
print(await mcp_stub.echo(value=kept + 1))`;

for (const { name, test, options } of await findBridgeEngines(["wasm", "podman", "docker"])) {
  test("50 calls at once, 20,000 in line, 20 MB each way; 100 MB is an error to catch", async () => {
    await using home = new BridgeHome();
    const folder = `${home.folder}/files`;
    await Deno.mkdir(folder);
    await Deno.writeTextFile(`${folder}/big.txt`, "x".repeat(20_000_000));
    const servers = {
      stub: fixture("workbench"),
      everything: reference("server-everything"),
      filesystem: reference("server-filesystem", folder),
    };
    await using client = await connectWithServers(home, servers, options);
    const run = (code: string) => textWith(client, Object.keys(servers), code);
    /** Holds a run to its printed milliseconds and the lines that follow them. */
    const check = async (what: string, code: string, maxMs: number, expected: string) => {
      const text = await run(code);
      const [ms, ...rest] = text.split("\n");
      assertEquals(rest.join("\n"), expected, text);
      assertWithin(`${name}: ${what}`, Number(ms), maxMs);
    };
    await run(START);
    await check("50 calls of 200 ms", SIDE_BY_SIDE, 5000, "True");
    await check("20,000 calls", MANY, 50_000, "True 20000");
    await check("an argument of 20 MB", BIG_ARGUMENT, 10_000, "20000000");
    await check("a result of 20 MB", BIG_RESULT, 10_000, "20000000");
    const path = JSON.stringify(`${folder}/big.txt`);
    await check("a file of 20 MB", `PATH = ${path}\n${BIG_FILE}`, 10_000, "20000000");
    assertEquals(
      await run(TOO_BIG),
      'The connection broke during "stub.size": a message was longer than 64 MiB\n' +
        "  hint: Ask for less in one call\n" +
        "A message of 100 MB is over the limit of 64 MiB: send less at once\n" +
        "{'value': 42}",
    );
  });
}
