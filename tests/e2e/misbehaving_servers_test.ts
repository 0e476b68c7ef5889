/** What a model reads when a server of the user breaks a rule, word for word, through the whole program. */
import { assertEquals } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, fixture, textWith } from "../support/bridge_servers.ts";

const SERVERS = {
  exits: fixture("exits_at_once"),
  silent: fixture("never_answers"),
  garbage: fixture("prints_garbage"),
  bench: fixture("workbench"),
  odd: fixture("odd_names"),
  many: fixture("many_tools"),
  changes: fixture("changes_tools"),
};

const EXITS = 'Cannot start "exits": it ended with exit code 3\n' +
  "its stderr ends with:\n" +
  "  Error: WEATHER_KEY is not set\n" +
  "  hint: Run its command by hand to see why. " +
  "Correct its entry in the configuration of MCP_SERVERS_CONFIG";

/** Each program, the servers it is given, and the whole answer. */
const CASES: ReadonlyArray<[name: string, servers: string[], code: string, answer: string]> = [
  [
    "it exits at once",
    ["exits"],
    "await mcp_exits.hello()",
    `status: error\nSandbox error: Server 'exits' is not available: ${EXITS}`,
  ],
  [
    "it exits at once, and another one works",
    ["exits", "bench"],
    "print(await mcp_bench.echo(value=1))",
    `{'value': 1}\nServer 'exits' is not available: ${EXITS}`,
  ],
  [
    "it never answers",
    ["silent"],
    "await mcp_silent.hello()",
    "status: error\nSandbox error: Server 'silent' is not available: " +
    'Cannot start "silent": it did not answer within 5s\n' +
    'its stdout has 1 line that is no MCP message: "Listening on stdio"\n' +
    "  hint: If it only needs longer, raise MCP_BRIDGE_SERVER_START_TIMEOUT",
  ],
  ["it prints garbage", ["garbage"], "print(await mcp_garbage.hello())", "hello"],
  [
    "it ends in a call, after garbage",
    ["garbage"],
    "try:\n  await mcp_garbage.end()\nexcept runtime.MCPError as error:\n  print(error)",
    'The connection broke during "garbage.end": the server ended with exit code 0\n' +
    'its stdout has 6 lines that are no MCP message: "Starting up"\n' +
    "  hint: The next call connects again; whether this one took effect is not known",
  ],
  [
    "it dies in a call",
    ["bench"],
    "print(await mcp_bench.die())",
    "status: error\nstderr:\nTraceback (most recent call last):\n" +
    '  File "<run-1>", line 1, in <module>\n' +
    "    print(await mcp_bench.die())\n          ^^^^^^^^^^^^^^^^^^^^^\n" +
    'mcp.runtime.MCPError: The connection broke during "bench.die": ' +
    "the server ended with exit code 7\n" +
    "its stderr ends with:\n  fatal: key undefined\n" +
    "  hint: The next call connects again; whether this one took effect is not known",
  ],
  [
    "it sends a line of 1 GB, and is there for the next call",
    ["bench"],
    "try:\n  await mcp_bench.gigabyte()\nexcept runtime.MCPError as error:\n  print(error)\n" +
    "print(await mcp_bench.echo(value=2))",
    'The connection broke during "bench.gigabyte": a message was longer than 64 MiB\n' +
    "  hint: Ask for less in one call\n{'value': 2}",
  ],
  [
    "it has 5,000 tools",
    ["many"],
    "print(len(dir(mcp_many)), await mcp_many.tool_4999())",
    "5001 thing 4999",
  ],
  [
    "a tool comes while a program runs",
    ["changes"],
    "print(await mcp_changes.grow(name='fresh'))\nprint(await runtime.call_tool('changes', 'fresh'))",
    "grown\nI am fresh",
  ],
  ["and is a method in the next run", ["changes"], "await mcp_changes.fresh()", "'I am fresh'"],
  [
    "its tools have odd names",
    ["odd"],
    "aliases = [mcp_odd.a_b_2, mcp_odd.a_b, mcp_odd.a_b_3, mcp_odd.class_, mcp_odd.列表]\n" +
    "names = ['a-b', 'a_b', 'a.b', 'class', '列表']\n" +
    "print([await tool() for tool in aliases])\n" +
    "print([await runtime.call_tool('odd', name) for name in names])\n" +
    "print([await getattr(mcp_odd, name)() for name in names])",
    Array(3).fill("['a-b', 'a_b', 'a.b', 'class', '列表']").join("\n"),
  ],
  [
    "a tool is called by a name that Python cannot read",
    ["odd"],
    "await mcp_odd.class()",
    'status: error\nstderr:\n  File "<run-1>", line 1\n    await mcp_odd.class()\n' +
    "                  ^^^^^\nSyntaxError: invalid syntax\n" +
    "hint: `class` is a word of Python itself: tools and arguments of that name are written `class_`",
  ],
];

Deno.test("a model reads what is wrong with a server, and what to do", async (test) => {
  await using home = new BridgeHome();
  const env = { MCP_BRIDGE_SERVER_START_TIMEOUT: "5" };
  await using client = await connectWithServers(home, SERVERS, { env });
  for (const [name, servers, code, expected] of CASES) {
    await test.step(name, async () => {
      const text = await textWith(client, servers, code);
      assertEquals(text.replaceAll(/<run-\d+>/g, "<run-1>"), expected);
    });
  }
});
