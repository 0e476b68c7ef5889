/**
 * Starts the real server as a client would, runs a few short programs and shows code and answer side by
 * side: `deno task demo`.
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { sideBySide } from "./side_by_side.ts";

const PROGRAMS: ReadonlyArray<
  { title: string; code: string; servers?: string[]; fails?: true }
> = [
  {
    title: "Hello from Python in a sandbox",
    code: 'import sys\nprint("Hello from", sys.implementation.name, sys.version.split()[0])',
  },
  {
    title: "Variables stay between two calls (1)",
    code: "primes = [n for n in range(2, 50)\n          if all(n % d for d in range(2, n))]",
  },
  { title: "Variables stay between two calls (2)", code: "sum(primes), primes[-3:]" },
  {
    title: "An exception is an answer",
    fails: true,
    code: 'def price(item):\n    return {"tea": 3}[item]\n\nprice("coffee")',
  },
  {
    title: "There is no way out: network, files, processes",
    code: "from urllib.request import urlopen\n" +
      'for attempt in (\n    lambda: urlopen("http://example.com"),\n' +
      '    lambda: open("/etc/passwd"),\n    lambda: __import__("js").Deno,\n):\n' +
      "    try:\n        attempt()\n    except Exception as e:\n" +
      "        print(type(e).__name__, e, sep=': ')",
  },
  {
    title: "Two other MCP servers, in one loop",
    servers: ["weather", "todo"],
    code: "import asyncio\ncities = await mcp_weather.list_cities()\n" +
      "reports = await asyncio.gather(*[\n    mcp_weather.get_weather(city=c) for c in cities])\n" +
      "for r in reports:\n    if r['sky'] == 'rain':\n" +
      "        await mcp_todo.add(text=f\"umbrella in {r['city']}\")\n" +
      "for item in await mcp_todo.list():\n    print(item['id'], item['text'])",
  },
  {
    title: "A picture, drawn without any package",
    code: 'render_chart(reports, "bar", x="city",\n    y=["temperature"], title="Now")',
  },
  {
    title: "Memory, for this session and all later ones",
    code: 'update_memory("looks", lambda n: n + 1, default=0)',
  },
];

const terminal = Deno.stdout.isTerminal();
const width = Math.min(terminal ? Deno.consoleSize().columns : 100, 120);

function paint(code: number): (text: string) => string {
  return (text) => terminal && !Deno.noColor ? `\x1b[${code}m${text}\x1b[0m` : text;
}
const [bold, dim, red, green, cyan] = [1, 2, 31, 32, 36].map(paint) as [
  (text: string) => string,
  (text: string) => string,
  (text: string) => string,
  (text: string) => string,
  (text: string) => string,
];

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Runs a program and gives its answer, as any MCP client would get it. */
async function run(
  client: Client,
  code: string,
  servers: readonly string[] = [],
): Promise<{ text: string; failed: boolean }> {
  const result = await client.callTool({ name: "run_python", arguments: { code, servers } });
  const text = result.content.map((item) =>
    item.type === "text"
      ? item.text
      : item.type === "resource_link"
      ? `[${item.name}]`
      : `[${item.type}]`
  );
  return { text: text.join("\n"), failed: result.isError === true };
}

/** The servers of `servers.json`, started by this Deno wherever it lies. */
async function writeServersConfig(folder: string): Promise<string> {
  const entry = (name: string) => ({
    command: Deno.execPath(),
    args: ["run", "--quiet", "--no-prompt", import.meta.resolve(`./${name}_server.ts`)],
  });
  const config = { mcpServers: { weather: entry("weather"), todo: entry("todo") } };
  const file = `${folder}/servers.json`;
  await Deno.writeTextFile(file, JSON.stringify(config));
  return file;
}

async function main(): Promise<void> {
  // Nothing of the demo is to be found in the user's own memory.
  const folder = await Deno.makeTempDir({ prefix: "mcp-bridge-demo-" });
  const serversConfig = await writeServersConfig(folder);
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(2)} s`;
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: ["run", "--quiet", "-P", import.meta.resolve("../main.ts")],
    env: {
      ...Deno.env.toObject(),
      MCP_SERVERS_CONFIG: serversConfig,
      MCP_BRIDGE_STATE_DIR: folder,
    },
    stderr: "inherit",
  });
  const client = new Client({ name: "mcp-bridge-demo", version: "1.0.0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  print(bold("mcp-bridge") + dim(` · connected after ${seconds()}`));
  print(dim(`The client sees one tool: ${tools.map(({ name }) => name).join(", ")}\n`));
  for (const [at, { title, code, servers, fails = false }] of PROGRAMS.entries()) {
    const { text, failed } = await run(client, code, servers);
    if (failed !== fails) Deno.exitCode = 1;
    print(bold(title) + (at === 0 ? dim(` · first answer after ${seconds()}`) : ""));
    print(dim("─".repeat(width)));
    const rightStyle = failed ? red : green;
    print(`${sideBySide(code, text, { width, leftStyle: cyan, rightStyle })}\n`);
  }
  await client.close();
  await Deno.remove(folder, { recursive: true });
}

await main();
