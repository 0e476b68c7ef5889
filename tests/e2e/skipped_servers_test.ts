/** What a model and a person are told of servers that are configured and cannot be used. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, fixture, runWith, textWith } from "../support/bridge_servers.ts";
import { StdioClient } from "../support/stdio_client.ts";

const ENTRIES = `{"mcpServers": {
  "off": {"command": "x", "disabled": true},
  "idle": {"description": "no command"},
  "keyless": {"command": "x", "env": {"KEY": "\${MISSING_KEY}"}},
  "asks": {"command": "x", "args": ["\${input:token}"]},
  "odd": 5,
  "works": ${JSON.stringify(fixture("workbench"))}
}}`;

const REASONS: ReadonlyArray<[name: string, reason: string]> = [
  ["off", "Switched off in the file (MCP_SERVERS_CONFIG: own.json, line 2)"],
  [
    "idle",
    'Cannot use the entry: neither "command" nor "url" is set (MCP_SERVERS_CONFIG: own.json, line 3)',
  ],
  [
    "keyless",
    'Cannot use "env.KEY": the variable "MISSING_KEY" is not set (MCP_SERVERS_CONFIG: own.json, line 4)',
  ],
  [
    "asks",
    'Cannot use "args": only the client it was written for can resolve "input:…" ' +
    "(MCP_SERVERS_CONFIG: own.json, line 5)",
  ],
  ["odd", "Cannot use the entry: expected an object (MCP_SERVERS_CONFIG: own.json, line 6)"],
  [
    "stranger",
    "It stands in a project file that nobody has allowed; MCP_BRIDGE_TRUST_PROJECT=1 allows it " +
    "(project: .mcp.json, line 1)",
  ],
];

Deno.test("a server that is configured and not used is answered with the reason, file and line", async () => {
  await using home = new BridgeHome();
  const file = `${home.folder}/own.json`;
  await Deno.writeTextFile(file, ENTRIES);
  await Deno.writeTextFile(`${home.cwd}/.mcp.json`, '{"mcpServers":{"stranger":{"command":"x"}}}');
  const cursor = `${home.folder}/home/.cursor`;
  await Deno.mkdir(cursor);
  await Deno.writeTextFile(`${cursor}/mcp.json`, '{"mcpServers": {\n  "lost": {');
  await using client = await StdioClient.connect(home, { env: { MCP_SERVERS_CONFIG: file } });
  const unread = "Not read: Cursor: mcp.json, line 2: ";
  for (const [name, reason] of REASONS) {
    assertEquals(
      await textWith(client, [name], "1"),
      `status: error\nSandbox error: Unknown MCP server: ${name}. ` +
        `"${name}" is configured but not used: ${reason}. Known servers: works`,
    );
  }
  assertStringIncludes(await textWith(client, ["lost"], "1"), unread);
  const inPython = `for name in ["keyless", "stranger"]:
    for ask in runtime.query_tool_docs(name), runtime.call_tool(name, "x"):
        try:
            print(await ask)
        except runtime.MCPError as error:
            print(error)`;
  const reasons = new Map(REASONS);
  assertEquals((await textWith(client, ["works"], inPython)).split("\n"), [
    `The MCP server "keyless" is not used: ${reasons.get("keyless")}`,
    `Server 'keyless' is not available: ${reasons.get("keyless")}`,
    `The MCP server "stranger" is not used: ${reasons.get("stranger")}`,
    `Server 'stranger' is not available: ${reasons.get("stranger")}`,
  ]);
  // The person sees each once, however often it was looked at, and where it is.
  for (const name of ["off", "idle", "keyless", "asks", "odd", "stranger"]) {
    assertEquals(client.stderr.split(`Not used: the MCP server "${name}" `).length, 2, name);
  }
  assertEquals(client.stderr.split("Not used: a configuration file of Cursor: ").length, 2);
  assertStringIncludes(client.stderr, `(${file}, line 4)`);
});

Deno.test("a search says which servers it could not look through", async () => {
  await using home = new BridgeHome();
  const servers = {
    bench: fixture("workbench"),
    bad: fixture("exits_at_once"),
    slow: fixture("never_answers"),
  };
  await using client = await connectWithServers(home, servers);
  const code = 'print([hit["tool"] for hit in await runtime.search_tool_docs("gigabyte")])';
  const { content, structuredContent } = await runWith(client, [], code);
  const note = "search_tool_docs: not searched yet: slow; search again; " +
    'failed: bad (Cannot start "bad": it ended with exit code 3)';
  assertEquals(content[0]!.text, `['gigabyte']\n${note}`);
  assertEquals(structuredContent["notes"], [note]);
});
