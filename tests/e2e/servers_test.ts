/** A user's own servers from Python, through the whole program, on every engine of this machine. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { findBridgeEngines } from "../support/bridge_engines.ts";
import { BridgeHome } from "../support/bridge_home.ts";
import {
  connectWithServers,
  example,
  fixture,
  reference,
  textWith,
} from "../support/bridge_servers.ts";
import { serveEverything } from "../support/everything_server.ts";

/** Calls each tool by its four routes and prints the value of one, and whether the others are the same. */
const ROUTES = `
import asyncio, importlib
async def routes(server, alias, raw, args):
    module = importlib.import_module(f"mcp.servers.{server}")
    values = [await getattr(globals()["mcp_" + server], alias)(**args),
              await getattr(mcp_servers[server], alias)(**args),
              await getattr(module, alias)(**args),
              await runtime.call_tool(server, raw, args)]
    return f"{server}.{alias}: {values[0]} {all(value == values[0] for value in values)}"
print(*await asyncio.gather(*[routes(*call) for call in CALLS]), sep="\\n")`;

for (const { test, options } of await findBridgeEngines(["wasm", "podman", "docker"])) {
  test("a user loops over two servers in one call", async () => {
    await using home = new BridgeHome();
    const servers = { weather: example("weather_server"), todo: example("todo_server") };
    await using client = await connectWithServers(home, servers, options);
    const umbrellas = await textWith(
      client,
      ["weather", "todo"],
      "import asyncio\ncities = await mcp_weather.list_cities()\n" +
        "all = await asyncio.gather(*[mcp_weather.get_weather(city=c) for c in cities])\n" +
        'for w in all:\n  if w["sky"] == "rain": await mcp_todo.add(text=f"umbrella in {w[\'city\']}")\n' +
        "print([item['text'] for item in await mcp_todo.list()])",
    );
    assertEquals(umbrellas, "['umbrella in Berlin', 'umbrella in Seattle']");
    assertStringIncludes(
      await textWith(client, ["wether"], "1"),
      "Unknown MCP server: wether (did you mean weather?)",
    );
  });

  test("a run cannot call a server it was not given, by whatever it kept of an earlier run", async () => {
    await using home = new BridgeHome();
    const servers = { weather: example("weather_server"), todo: example("todo_server") };
    await using client = await connectWithServers(home, servers, options);
    const keep = "import mcp.servers.todo as module\nfrom mcp.servers.todo import add\n" +
      "server, tool = mcp_todo, mcp_todo.add\nlater = lambda text: mcp_todo.add(text=text)\n" +
      "print(await mcp_todo.add(text='allowed'))";
    assertStringIncludes(await textWith(client, ["todo"], keep), "allowed");
    const tries = `
tries = {"server": lambda: server.add(text="x"), "tool": lambda: tool(text="x"),
         "module": lambda: module.add(text="x"), "function": lambda: add(text="x"),
         "global": lambda: later("x"),
         "call_tool": lambda: runtime.call_tool("todo", "add", {"text": "x"}),
         "import": lambda: __import__("mcp.servers.todo").servers.todo.add(text="x")}
for name, attempt in tries.items():
    try:
        print(name, "GOT THROUGH", await attempt())
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}")
print((await mcp_weather.get_weather(city="Oslo"))["sky"])`;
    const refused = await textWith(client, ["weather"], tries);
    const lines = refused.split("\n");
    assertEquals([lines.length, lines.at(-1)], [8, "snow"], refused);
    const refusal =
      "MCPError: Server 'todo' is not available: add it to the `servers` argument of run_python";
    assertEquals(lines.slice(0, 7), [
      ...["server", "tool", "module", "function"].map((way) => `${way}: ${refusal}`),
      "global: NameError: name 'mcp_todo' is not defined",
      `call_tool: ${refusal}`,
      "import: ModuleNotFoundError: No module named 'mcp.servers.todo'",
    ]);
    const kept = await textWith(
      client,
      ["todo"],
      "print([i['text'] for i in await mcp_todo.list()])",
    );
    assertEquals(kept, "['allowed']");
  });

  test("the four routes give the same value for a stub and for servers that people use", async () => {
    await using home = new BridgeHome();
    await using http = await serveEverything("streamableHttp");
    await using sse = await serveEverything("sse");
    const folder = `${home.folder}/files`;
    await Deno.mkdir(folder);
    await Deno.writeTextFile(`${folder}/a.txt`, "text of a file");
    const servers = {
      stub: fixture("workbench"),
      everything: reference("server-everything"),
      everything_http: { type: "http" as const, url: http.url },
      everything_sse: { type: "sse" as const, url: sse.url },
      filesystem: reference("server-filesystem", folder),
      memory: {
        ...reference("server-memory"),
        env: { MEMORY_FILE_PATH: `${home.folder}/memory.jsonl` },
      },
    };
    const calls = [
      ["stub", "echo", "echo", { value: [1, "ä", null] }],
      ...["everything", "everything_http", "everything_sse"].flatMap((server) => [
        [server, "echo", "echo", { message: "hi" }],
        [server, "get_structured_content", "get-structured-content", { location: "Chicago" }],
      ]),
      ["filesystem", "read_text_file", "read_text_file", { path: `${folder}/a.txt` }],
      ["memory", "read_graph", "read_graph", {}],
    ];
    await using client = await connectWithServers(home, servers, options);
    const code = `import json\nCALLS = json.loads(r'''${JSON.stringify(calls)}''')${ROUTES}`;
    const weather = "{'temperature': 36, 'conditions': 'Light rain / drizzle', 'humidity': 82}";
    assertEquals((await textWith(client, Object.keys(servers), code)).split("\n"), [
      "stub.echo: {'value': [1, 'ä', None]} True",
      ...["everything", "everything_http", "everything_sse"].flatMap((server) => [
        `${server}.echo: Echo: hi True`,
        `${server}.get_structured_content: ${weather} True`,
      ]),
      "filesystem.read_text_file: {'content': 'text of a file'} True",
      "memory.read_graph: {'entities': [], 'relations': []} True",
    ]);
  });
}
