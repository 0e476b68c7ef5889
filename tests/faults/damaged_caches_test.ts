/**
 * What the bridge finds on disk when it starts is damaged: caches, which are made anew, and the user's own files.
 * Calls go on, and what is lost with a file is told.
 */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { addTrusted, contentDigest, TRUST_FILE } from "../../src/discovery/trust_store.ts";
import { readJsonFile } from "../../src/store/json_file.ts";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, fixture, runWith } from "../support/bridge_servers.ts";
import { cacheDir } from "../support/engines.ts";
import type { RunAnswer, StdioClient } from "../support/stdio_client.ts";
import { Chance, SEED } from "./chance.ts";
import { clear, damages, endWithoutDrafts } from "./damages.ts";

const LIMIT_SECONDS = 10;
/** Building a snapshot, and waiting for a server that does not start, are no part of a run's time. */
const PREPARING_MS = 60_000;
const LATE_MS = 5_000;
/** For so long the bridge does not look at its configuration again. */
const FRESH_MS = 200;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A cache folder of its own, with the snapshot that all tests share. */
async function ownCache(home: BridgeHome): Promise<string> {
  const folder = `${home.folder}/cache`;
  await Deno.mkdir(`${folder}/wasm`, { recursive: true, mode: 0o700 });
  for await (const { name } of Deno.readDir(`${cacheDir}/wasm`)) {
    if (!/^snapshot-\w+\.bin$/.test(name)) continue;
    await Deno.copyFile(`${cacheDir}/wasm/${name}`, `${folder}/wasm/${name}`);
  }
  return folder;
}

function connect(home: BridgeHome, cache: string): Promise<StdioClient> {
  const env = {
    MCP_BRIDGE_CACHE_DIR: cache,
    MCP_BRIDGE_SERVER_START_TIMEOUT: "10",
    HOME: `${home.folder}/user`,
  };
  return connectWithServers(home, { bench: fixture("workbench") }, { env });
}

async function run(
  client: StdioClient,
  what: string,
  server: string,
  code: string,
): Promise<RunAnswer> {
  const began = performance.now();
  const answer = await runWith(client, [server], code, LIMIT_SECONDS);
  const ms = performance.now() - began;
  assertLessOrEqual(ms, LIMIT_SECONDS * 1000 + PREPARING_MS + LATE_MS, `${what}: ${ms} ms`);
  return answer;
}

function assertPrinted(answer: RunAnswer, expected: readonly unknown[], what: string): void {
  const lines = answer.structuredContent.stdout;
  assertEquals(lines, expected.map(String), `${what}: ${JSON.stringify(answer)}`);
}

Deno.test("a damaged catalogue, shape or alias costs no call and is made anew", async () => {
  const chance = new Chance(SEED);
  await using home = new BridgeHome();
  const cache = await ownCache(home);
  const call = async (n: number, what: string) => {
    await using client = await connect(home, cache);
    const code = `print(len(await runtime.search_tool_docs("echo")) > 0)\n` +
      `print(mcp_bench.echo(value=${n})["value"])`;
    assertPrinted(await run(client, what, "bench", code), ["True", n], what);
    await endWithoutDrafts(client, cache);
  };
  await call(0, "at first");
  const names = (await Array.fromAsync(Deno.readDir(`${cache}/catalogs`))).map(({ name }) => name);
  assert(names.some((name) => name.endsWith(".observed.json")), names.join());
  let n = 0;
  for (const [damage, what] of damages(chance, 4)) {
    const name = chance.pick(names);
    const path = `${cache}/catalogs/${name}`;
    await damage.apply(path, chance);
    await call(++n, `${what} of ${name}`);
    if (damage.name.startsWith("folder")) {
      await clear(path);
      await call(++n, `${what} of ${name}, taken away`);
    }
    assert(await readJsonFile(path) !== undefined, `${what} of ${name}: it was not made anew`);
  }
});

Deno.test("a damaged snapshot of Python costs time and no run", async () => {
  const chance = new Chance(SEED);
  await using home = new BridgeHome();
  const cache = await ownCache(home);
  let n = 0;
  for (const [damage, what] of damages(chance, 2)) {
    await using client = await connect(home, cache);
    await clear(`${cache}/wasm`);
    await ownCache(home);
    const names = (await Array.fromAsync(Deno.readDir(`${cache}/wasm`))).map(({ name }) => name);
    for (const name of names) await damage.apply(`${cache}/wasm/${name}`, chance);
    assertPrinted(await run(client, what, "bench", `print(${++n})`), [n], what);
    await endWithoutDrafts(client, cache);
  }
});

/** An entry of a server that works, as each format writes it; files below the home folder. */
const { command, args } = fixture("workbench");
const entry = { command, args };
const FILES: Readonly<Record<string, string>> = {
  "MCPs/plain.json": JSON.stringify({ mcpServers: { plain: entry } }),
  ".config/Code/User/mcp.json": `// mine\n${JSON.stringify({ servers: { code: entry } })}`,
  ".codex/config.toml": `[mcp_servers.codex]\ncommand = ${JSON.stringify(command)}\nargs = ${
    JSON.stringify(args)
  }\n`,
  ".config/goose/config.yaml": `extensions:\n  goose:\n    type: stdio\n    enabled: true\n` +
    `    cmd: ${JSON.stringify(command)}\n    args: ${JSON.stringify(args)}\n`,
};

Deno.test("a damaged configuration or list of what is allowed costs its own servers at most", async () => {
  const chance = new Chance(SEED);
  await using home = new BridgeHome();
  const places = new Map<string, { path: string; text: string }>();
  for (const [name, text] of Object.entries(FILES)) {
    const server = /(plain|code|codex|goose)(?=[":\]])/.exec(text)![1]!;
    places.set(server, { path: `${home.folder}/user/${name}`, text });
  }
  const project = `${home.cwd}/.mcp.json`;
  await Deno.writeTextFile(project, JSON.stringify({ mcpServers: { team: entry } }));
  await addTrusted(home.stateDir, project, await contentDigest(await Deno.readFile(project)));
  const trust = `${home.stateDir}/${TRUST_FILE}`;
  places.set("team", { path: trust, text: await Deno.readTextFile(trust) });
  const restore = async ({ path, text }: { path: string; text: string }) => {
    await clear(path);
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text);
  };
  for (const place of places.values()) await restore(place);
  await using client = await connect(home, await ownCache(home));
  let n = 0;
  const call = (server: string, what: string) =>
    run(client, what, server, `print(mcp_${server}.echo(value=${++n})["value"])`);
  for (const server of places.keys()) {
    assertPrinted(await call(server, server), [n], server);
  }
  for (const [damage, round] of damages(chance, 10)) {
    const server = chance.pick([...places.keys()]);
    const what = `${round} of the file of ${server}`;
    const place = places.get(server)!;
    await damage.apply(place.path, chance);
    await pause(FRESH_MS);
    const other = chance.pick(["bench", ...places.keys()].filter((name) => name !== server));
    assertPrinted(await call(other, what), [n], `${what}, call of ${other}`);
    const answer = await call(server, what);
    if (answer.structuredContent.status === "ok") assertPrinted(answer, [n], what);
    else assert(answer.content[0]!.text!.includes(server), `${what}: ${JSON.stringify(answer)}`);
    await restore(place);
    await pause(FRESH_MS);
    assertPrinted(await call(server, what), [n], `${what}, restored`);
  }
  await endWithoutDrafts(client, home.stateDir);
});
