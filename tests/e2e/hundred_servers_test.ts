/** A user with 100 servers and 2,000 tools pays for none of them until a program uses one. */
import { assertEquals, assertMatch } from "@std/assert";
import { createServerDiscovery } from "../../src/discovery/server_discovery.ts";
import { configDigest } from "../../src/downstream/catalog/server_registry.ts";
import { createLogger } from "../../src/shared/log.ts";
import { createDownstream } from "../../src/downstream/create_downstream.ts";
import { writeJsonFile } from "../../src/store/json_file.ts";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, type ServerConfig, textWith } from "../support/bridge_servers.ts";
import { assertWithin, measure } from "../support/figures.ts";
import type { StdioClient } from "../support/stdio_client.ts";

const VERBS = ["create", "find", "update", "delete", "list", "send", "merge", "archive"];
const THINGS = ["issue", "page", "invoice", "user", "message", "branch", "ticket", "photo"];

/** Five times the goal, for a machine that is busy with other tests. */
const SEARCH_MS = 50;
const DISCOVERY_MS = 500;

/** Servers that leave a mark when they are started. */
function markingServers(marks: string): Record<string, ServerConfig> {
  const mark = (index: number) => ({
    command: "/bin/sh",
    args: ["-c", `echo started > ${marks}/${index}; exit 1`],
  });
  return Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`server-${index}`, mark(index)]),
  );
}

function tools(server: number): unknown[] {
  return Array.from({ length: 20 }, (_, index) => {
    const [verb, thing] = [VERBS[index % 8]!, THINGS[(index + server) % 8]!];
    const name = `${verb}_${thing}_${server}_${index}`;
    const description = `${verb} one ${thing} of the account, by its number or its title`;
    const inputSchema = { type: "object", properties: { [`${thing}_id`]: { type: "integer" } } };
    return { name, alias: name, description, inputSchema };
  });
}

const marksIn = async (folder: string) =>
  (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);

/** The answer to `tools/list` byte by byte, but for its number. */
async function toolsList(client: StdioClient): Promise<string> {
  const { id } = await client.request("tools/list").reply;
  return client.lines.find((line) => JSON.parse(line).id === id)!.replace(`"id":${id}`, "");
}

Deno.test("100 servers with 2,000 tools: the same tools/list, found at once, and none started unused", async () => {
  await using home = new BridgeHome();
  await using none = new BridgeHome();
  const [marks, cacheDir] = [`${home.folder}/marks`, `${home.folder}/cache`];
  await Deno.mkdir(marks);
  const env = { MCP_BRIDGE_CACHE_DIR: cacheDir };
  await using client = await connectWithServers(home, markingServers(marks), { env });
  await using bare = await connectWithServers(none, {}, { env });
  const list = await toolsList(bare);
  assertEquals(await toolsList(client), list);

  const discovery = createServerDiscovery(
    { serversConfig: `${home.folder}/servers.json`, allowSelfServer: false, trustProject: false },
    { cwd: home.cwd, readVariable: (name) => name === "HOME" ? home.folder : undefined },
  );
  let entries: Awaited<ReturnType<typeof discovery.discover>>["servers"] = [];
  const discoveryMs = await measure(async () => entries = (await discovery.discover()).servers);
  assertWithin("Discovery of 100 servers", discoveryMs, DISCOVERY_MS);
  assertEquals(entries.length, 100);
  await Promise.all(entries.map(async ({ transport }, index) => {
    const path = `${cacheDir}/catalogs/${await configDigest(transport)}.json`;
    await writeJsonFile(path, { format: 1, tools: tools(index) });
  }));

  const found = await textWith(
    client,
    [],
    "print(len(runtime.discovered_servers()))\n" +
      'for hit in await runtime.search_tool_docs("delet invoices", limit=3): print(hit["tool"])\n' +
      'print(await runtime.query_tool_docs("server-7"))',
  );
  assertMatch(found, /^100\n(delete_invoice_\d+_\d+\n){3}/);
  assertMatch(found, /create_photo_7_0/);
  assertEquals(await toolsList(client), list);

  await using downstream = createDownstream({
    discovery,
    cacheDir,
    log: createLogger("error"),
    env: {},
  });
  const options = { limit: 5, detail: "summary" } as const;
  await downstream.search("warm up", options);
  const times: number[] = [];
  for (let round = 0; round < 50; round++) {
    const query = `${VERBS[round % 8]} ${THINGS[round % 7]}`;
    times.push(await measure(() => downstream.search(query, options)));
  }
  times.sort((a, b) => a - b);
  assertWithin("Search over 2,000 tools, p50", times[25]!, SEARCH_MS);
  assertEquals(await marksIn(marks), []);

  const used = await textWith(client, ["server-7"], "await mcp_server_7.create_photo_7_0()");
  assertMatch(used, /Cannot start "server-7": it ended with exit code 1/);
  assertEquals(await marksIn(marks), ["7"]);
});
