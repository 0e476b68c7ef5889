/** The server works wherever a user puts it and whatever the machine lacks. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { BridgeHome, type BridgeOptions } from "../support/bridge_home.ts";
import { copyCheckout, listTree, makeWritable, whyNot } from "../support/checkout.ts";
import { StdioClient } from "../support/stdio_client.ts";

const SLOW_START = "every sandbox starts slowly";

/** Starts the rest of the line where `folder` cannot be written, not even by root. */
const readOnlyMount = (folder: string) => [
  ...["unshare", "--mount", "sh", "-c"],
  'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"',
  folder,
];

/** Starts the rest of the line where there is no network. */
const NO_NETWORK = Deno.uid() === 0
  ? ["unshare", "--net"]
  : ["unshare", "--map-root-user", "--net"];

const noMount = await whyNot("unshare", ["--mount", "true"]);
const noNetworkLess = await whyNot(NO_NETWORK[0]!, [...NO_NETWORK.slice(1), "true"]);

Deno.test("a user needs no setting: an engine is found and named", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home, { env: { MCP_BRIDGE_ENGINE: undefined } });
  const { result } = await client.start("print(1)").reply;
  const meta = result!._meta as Record<string, string>;
  assertMatch(meta["mcp-bridge/engine"]!, /^(wasm|podman|docker)$/);
  // The one line of Deno itself on its permission sets, and no other.
  assertNotMatch(client.stderr, /mcp-bridge (warn|error)/);
});

Deno.test("a server runs from a checkout that it cannot write, and leaves it as it was", async () => {
  await using home = new BridgeHome();
  const checkout = `${home.folder}/checkout`;
  await copyCheckout(checkout);
  const before = await listTree(checkout);
  await assertRunsAnew(home, { main: `${checkout}/main.ts` });
  assertEquals(await listTree(checkout), before);
  await makeWritable(checkout);
});

Deno.test({
  name: `a server runs from a checkout on a read-only disk${skipped(noMount)}`,
  ignore: noMount !== undefined,
  async fn() {
    await using home = new BridgeHome();
    const checkout = `${home.folder}/checkout`;
    await copyCheckout(checkout);
    const wrapper = readOnlyMount(checkout);
    await using client = await StdioClient.connect(home, { main: `${checkout}/main.ts`, wrapper });
    assertEquals(await client.text("print('ran')"), "ran", client.stderr);
    assertNotMatch(client.stderr, /mcp-bridge (warn|error)/);
    await makeWritable(checkout);
  },
});

Deno.test("a server runs from a folder whose name has spaces, signs and umlauts", async () => {
  await using home = new BridgeHome();
  const checkout = `${home.folder}/my tools; 100% grün #1 & "more"`;
  await copyCheckout(checkout);
  await assertRunsAnew(home, { main: `${checkout}/main.ts` }, `${home.folder}/grün #2; 50% "x"`);
  await makeWritable(checkout);
});

Deno.test({
  name: `a server runs without a network once its modules are there${skipped(noNetworkLess)}`,
  ignore: noNetworkLess !== undefined,
  async fn() {
    await using home = new BridgeHome();
    await assertRunsAnew(home, { wrapper: NO_NETWORK });
  },
});

Deno.test("a user without a home folder waits longer and is told why", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home, {
    env: {
      HOME: undefined,
      MCP_BRIDGE_CACHE_DIR: undefined,
      MCP_BRIDGE_STATE_DIR: undefined,
    },
  });
  assertEquals(await client.text("x = 41\nprint(x)"), "41");
  assertEquals(await client.text("print(x)"), "41");
  assertStringIncludes(client.stderr, SLOW_START);
  const cut = await cutLine(client);
  assertStringIncludes(
    cut,
    "not kept: No state folder is known; hint: Set MCP_BRIDGE_STATE_DIR …]",
  );
});

Deno.test("a user whose cache cannot be written waits longer and is told why", async () => {
  await using home = new BridgeHome();
  const file = `${home.folder}/file`;
  await Deno.writeTextFile(file, "a file where a folder should be");
  await using client = await StdioClient.connect(home, {
    env: { MCP_BRIDGE_CACHE_DIR: `${file}/cache`, MCP_BRIDGE_STATE_DIR: `${file}/state` },
  });
  assertEquals(
    await client.text("x = 41\nprint(x)"),
    "41\nSaved tools are not there: The state folder cannot be read (ENOTDIR)\n" +
      "  hint: Set MCP_BRIDGE_STATE_DIR to a folder that the bridge can write",
  );
  assertEquals(client.stderr.split(SLOW_START).length, 2, client.stderr);
  const cut = await cutLine(client);
  assertStringIncludes(cut, "not kept: The state folder cannot be written …]");
  assert(!cut.includes(home.folder), cut);
  assertEquals(await client.text("print(x)"), "41");
});

/** With a cache of its own, so that the snapshot is built here, and once more with that snapshot. */
async function assertRunsAnew(
  home: BridgeHome,
  options: BridgeOptions,
  cache = `${home.folder}/cache`,
): Promise<void> {
  const env = { MCP_BRIDGE_CACHE_DIR: cache };
  for (const building of [true, false]) {
    await using client = await StdioClient.connect(home, { ...options, env });
    assertEquals(await client.text("print('ran')"), "ran", client.stderr);
    assertEquals(client.stderr.includes("Building the Python snapshot"), building, client.stderr);
    assertNotMatch(client.stderr, /mcp-bridge (warn|error)/);
  }
}

/** The line that says what became of output too long for an answer. */
async function cutLine(client: StdioClient): Promise<string> {
  const text = await client.text("print('x' * 200_000)");
  return text.split("\n").find((line) => line.startsWith("[…")) ?? "";
}

function skipped(reason: string | undefined): string {
  return reason === undefined ? "" : ` (skipped: ${reason})`;
}
