/** A user's own servers from Python, through the whole program, on every engine of this machine. */
import { assertEquals, assertMatch, assertStringIncludes, fail } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { findContainerTargets } from "../support/container_targets.ts";
import { type RunAnswer, StdioClient } from "../support/stdio_client.ts";

const VERSION = "2026.8.31";

const deno = (...args: string[]) => ({
  command: Deno.execPath(),
  args: ["run", "--quiet", ...args],
});
const example = (name: string) =>
  deno("--no-prompt", import.meta.resolve(`../../examples/${name}.ts`));
const npm = (name: string, ...args: string[]) =>
  deno("-A", "--no-config", "--no-lock", `npm:@modelcontextprotocol/${name}@${VERSION}`, ...args);

/** Engines by the variables that choose them; a container CLI that is not here says why. */
async function engines(): Promise<
  Array<{ name: string; env: Record<string, string>; why?: string }>
> {
  const found = (await findContainerTargets())
    .filter(({ python, name }) => python === "3.14" && !name.includes("rootless"));
  return [
    { name: "wasm", env: { MCP_BRIDGE_ENGINE: "wasm" } },
    ...found.map(({ settings, report, unavailable }) => ({
      name: settings.engine,
      env: {
        MCP_BRIDGE_ENGINE: settings.engine,
        MCP_BRIDGE_IMAGE: report.image,
        ...(Deno.env.has("CONTAINERS_CONF") &&
          { CONTAINERS_CONF: Deno.env.get("CONTAINERS_CONF")! }),
      },
      ...(unavailable !== undefined && { why: unavailable }),
    })),
  ];
}

async function connect(
  home: BridgeHome,
  env: Record<string, string>,
  servers: Record<string, { command: string; args: string[] }>,
): Promise<StdioClient> {
  const file = `${home.folder}/servers.json`;
  // The servers are Deno programs, and the home folder they are given is empty.
  const own = { DENO_DIR: home.command().env["DENO_DIR"] };
  const entries = Object.entries(servers).map(([name, entry]) => [name, { ...entry, env: own }]);
  await Deno.writeTextFile(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  const limits = { MCP_BRIDGE_SERVER_START_TIMEOUT: "80" };
  return await StdioClient.connect(home, { env: { MCP_SERVERS_CONFIG: file, ...limits, ...env } });
}

async function run(client: StdioClient, code: string, servers: string[]): Promise<RunAnswer> {
  const params = { name: "run_python", arguments: { code, servers, timeout: 60 } };
  const { result, error } = await client.request("tools/call", params).reply;
  if (result === undefined) fail(error?.message);
  return result as unknown as RunAnswer;
}

const ROUTES = `
import mcp.servers.%S as module
routes = [await mcp_%S.%T(**args), await mcp_servers["%S"].%T(**args), await module.%T(**args),
          await runtime.call_tool("%S", "%R", args)]
print(routes[0], all(route == routes[0] for route in routes))`;

const routes = (server: string, alias: string, raw: string) =>
  ROUTES.replaceAll("%S", server).replaceAll("%T", alias).replaceAll("%R", raw);

for (const { name, env, why } of await engines()) {
  const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";
  const test = (title: string, body: (home: BridgeHome) => Promise<void>) =>
    Deno.test({
      name: `${name}: ${title}${why === undefined ? "" : ` (skipped: ${why})`}`,
      ignore: why !== undefined && !required,
      async fn() {
        if (why !== undefined) fail(`${name} is required here: ${why}`);
        await using home = new BridgeHome();
        await body(home);
      },
    });

  test("a user loops over two servers in one call", async (home) => {
    const servers = { weather: example("weather_server"), todo: example("todo_server") };
    await using client = await connect(home, env, servers);
    const answer = await run(
      client,
      "import asyncio\ncities = await mcp_weather.list_cities()\n" +
        "all = await asyncio.gather(*[mcp_weather.get_weather(city=c) for c in cities])\n" +
        'for w in all:\n  if w["sky"] == "rain": await mcp_todo.add(text=f"umbrella in {w[\'city\']}")\n' +
        "print([item['text'] for item in await mcp_todo.list()])",
      ["weather", "todo"],
    );
    assertEquals(answer.content[0]!.text, "['umbrella in Berlin', 'umbrella in Seattle']");
    const kept = await run(client, "await mcp_todo.list()", ["weather"]);
    assertMatch(kept.content[0]!.text!, /NameError: name 'mcp_todo' is not defined/);
    const unknown = await run(client, "1", ["wether"]);
    assertStringIncludes(
      unknown.content[0]!.text!,
      "Unknown MCP server: wether (did you mean weather?)",
    );
  });

  test("the four routes give the same value for servers that people use", async (home) => {
    const folder = `${home.folder}/files`;
    await Deno.mkdir(folder);
    await Deno.writeTextFile(`${folder}/a.txt`, "text of a file");
    const servers = {
      everything: npm("server-everything"),
      filesystem: npm("server-filesystem", folder),
      memory: npm("server-memory"),
    };
    await using client = await connect(home, env, servers);
    const check = async (
      server: string,
      tool: [string, string],
      args: string,
      expected: RegExp,
    ) => {
      const code = `args = ${args}${routes(server, ...tool)}`;
      const text = (await run(client, code, [server])).content[0]!.text!;
      assertMatch(text, expected);
      assertMatch(text, / True$/);
    };
    await check("everything", ["echo", "echo"], '{"message": "hi"}', /^Echo: hi /);
    const path = JSON.stringify(`${folder}/a.txt`);
    await check(
      "filesystem",
      ["read_text_file", "read_text_file"],
      `{"path": ${path}}`,
      /text of a file/,
    );
    await check("memory", ["read_graph", "read_graph"], "{}", /entities/);
  });
}
