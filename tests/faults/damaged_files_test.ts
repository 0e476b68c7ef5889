/**
 * What the bridge keeps is damaged while it runs. A run's answer is right or an error that names the thing, all
 * else is unharmed, what is saved anew is there or refused with the reason, nothing hangs, and no draft is left.
 */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { StdioClient } from "../support/stdio_client.ts";
import { toRecordName } from "../../src/store/records/record_name.ts";
import { Chance, SEED } from "./chance.ts";
import { clear, damages, endWithoutDrafts } from "./damages.ts";

const LIMIT_SECONDS = 10;
/** No answer comes later than its limit and this. */
const LATE_MS = 5_000;

interface Outcome {
  value?: unknown;
  error?: string;
}

/** What these expressions are, or the errors that they raise; a definition between them is made. */
async function evaluate(
  client: StdioClient,
  what: string,
  ...expressions: string[]
): Promise<Outcome[]> {
  const code = [
    "import json",
    "def attempt(work):",
    "    try: return {'value': work()}",
    "    except Exception as error: return {'error': str(error)}",
    ...expressions.map((text) =>
      text.startsWith("def ") ? text : `print(json.dumps(attempt(lambda: ${text})))`
    ),
  ].join("\n");
  const began = performance.now();
  const answer = await client.run(code, { timeout: LIMIT_SECONDS });
  const ms = performance.now() - began;
  assertLessOrEqual(ms, LIMIT_SECONDS * 1000 + LATE_MS, `${what}: ${Math.round(ms)} ms`);
  assert(!answer.isError, `${what}: ${JSON.stringify(answer)}`);
  const lines = answer.structuredContent.stdout as string[];
  return lines.map((line) => JSON.parse(line));
}

/** No text may show where on this machine something lies. */
function assertTells(error: string | undefined, name: string, what: string): void {
  assert(error?.includes(name) && !error.includes("/tmp/"), `${what}: ${error}`);
}

Deno.test("a damaged memory is right or an error with its key, and costs no other", async () => {
  const chance = new Chance(SEED);
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  const values = new Map(["a", "b", "c"].map((key) => [key, 0]));
  const keys = [...values.keys()];
  const path = async (key: string) => `${home.stateDir}/memory/${await toRecordName(key)}`;
  const save = (key: string, n: number) => `save_memory("${key}", ["${key}", ${n}])["key"]`;
  await evaluate(client, "at first", ...keys.map((key) => save(key, 0)));
  let n = 0;
  for (const [damage, what] of damages(chance, 20)) {
    const key = chance.pick(keys);
    const others = keys.filter((other) => other !== key);
    await damage.apply(await path(key), chance);
    const expected = { value: [key, values.get(key)] };
    const [got, info, listed, ...rest] = await evaluate(
      client,
      what,
      `load_memory("${key}")`,
      `get_memory_info("${key}")`,
      "sorted((each['key'], 'error' in each) for each in list_memories())",
      ...others.map((other) => `load_memory("${other}")`),
    );
    assertEquals(rest, others.map((other) => ({ value: [other, values.get(other)] })), what);
    if (got!.error !== undefined) assertTells(got!.error, `"${key}"`, what);
    else if (got!.value !== null) assertEquals(got, expected, what);
    if (info!.error !== undefined) assertTells(info!.error, `"${key}"`, what);
    const names = new Map(listed!.value as [string, boolean][]);
    for (const other of others) assertEquals(names.get(other), false, what);
    values.set(key, ++n);
    const [deleted] = chance.below(2) === 0
      ? [undefined]
      : await evaluate(client, what, `delete_memory("${key}")`);
    if (deleted?.error !== undefined) assertTells(deleted.error, `"${key}"`, what);
    let [saved] = await evaluate(client, what, save(key, n));
    if (saved!.error !== undefined) {
      assert(damage.name.startsWith("folder"), `${what}: ${saved!.error}`);
      assertTells(saved!.error, `"${key}"`, what);
      await clear(await path(key));
      [saved] = await evaluate(client, what, save(key, n));
    }
    assertEquals(saved, { value: key }, what);
    const [again] = await evaluate(client, what, `load_memory("${key}")`);
    assertEquals(again, { value: [key, n] }, what);
  }
  await endWithoutDrafts(client, home.stateDir);
});

Deno.test("a damaged lock of memories refuses a save with the reason, or costs nothing", async () => {
  const chance = new Chance(SEED);
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  const lock = `${home.stateDir}/memory/lock`;
  await evaluate(client, "at first", 'save_memory("a", 0)["key"]');
  let n = 0;
  for (const [damage, what] of damages(chance, 10)) {
    await damage.apply(lock, chance);
    let [loaded, saved] = await evaluate(
      client,
      what,
      'load_memory("a")',
      `save_memory("a", ${n + 1})["key"]`,
    );
    assertEquals(loaded, { value: n }, what);
    if (saved!.error !== undefined) {
      assert(/folder|pipe|link/.test(damage.name), `${what}: ${saved!.error}`);
      assertTells(saved!.error, "lock", what);
      await clear(lock);
      [saved] = await evaluate(client, what, `save_memory("a", ${n + 1})["key"]`);
    }
    assertEquals(saved, { value: "a" }, what);
    n++;
  }
});

Deno.test("a damaged saved tool is right or an error with its name, and costs no other", async () => {
  const chance = new Chance(SEED);
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home, { env: { MCP_BRIDGE_STATE: "fresh" } });
  const path = `${home.stateDir}/tools/${await toRecordName("one")}`;
  const definition = (name: string, n: number) => `def ${name}(x): return ${n} + x`;
  await client.run(
    `${definition("one", 0)}\n${definition("two", 100)}\nsave_tool(one)\nsave_tool(two)`,
  );
  let n = 0;
  for (const [damage, what] of damages(chance, 5)) {
    await damage.apply(path, chance);
    const expected = { value: n + 1 };
    const [one, two, saved] = await evaluate(
      client,
      what,
      "one(1)",
      "two(1)",
      definition("one", ++n),
      'save_tool(one)["name"]',
    );
    assertEquals(two, { value: 101 }, what);
    if (one!.error === undefined) assertEquals(one, expected, what);
    // Or it is a name that nobody knows any more.
    else assertTells(one!.error.replace("name 'one' is not", '"one"'), '"one"', what);
    if (saved!.error === undefined) continue;
    assert(damage.name.startsWith("folder"), `${what}: ${saved!.error}`);
    assertTells(saved!.error, '"one"', what);
    await clear(path);
    n = 0;
    await client.run(`${definition("one", n)}\nsave_tool(one)`);
  }
  await endWithoutDrafts(client, home.stateDir);
});

/** The folder of the run that printed `text`; it is written some time after the answer. */
async function findRun(runs: string, text: string): Promise<string> {
  for (;;) {
    for await (const { name } of Deno.readDir(runs)) {
      const path = `${runs}/${name}/stdout.txt`;
      const { isFile, size } = await Deno.lstat(path).catch(() => ({ isFile: false, size: 0 }));
      if (!isFile || size !== text.length + 1) continue;
      if (await Deno.readTextFile(path) === `${text}\n`) return `${runs}/${name}`;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

Deno.test("the damaged output of a run is right or an error with its number, and costs no other", async () => {
  const chance = new Chance(SEED);
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  const runs = `${home.stateDir}/runs`;
  let n = 0;
  for (const [damage, what] of damages(chance, 13)) {
    // One that is written at its end, one that is written as it comes.
    await Deno.mkdir(runs, { recursive: true });
    const printed = [`first ${++n}`, `second ${n} `.padEnd(20 + 50_000 * chance.below(2), "x")];
    for (const text of printed) await client.run(`print(${JSON.stringify(text)})`);
    const folder = await findRun(runs, printed[1]!);
    await damage.apply(chance.below(4) === 0 ? folder : `${folder}/stdout.txt`, chance)
      // A folder has no bytes to damage.
      .catch(() => Deno.remove(folder, { recursive: true }));
    const [second, first] = await evaluate(
      client,
      what,
      "runtime.output(-1)",
      "runtime.output(-2)",
    );
    assertEquals(first, { value: `${printed[0]}\n` }, what);
    if (second!.error !== undefined) assertTells(second!.error, "-1", what);
    else assertEquals(second, { value: `${printed[1]}\n` }, what);
  }
  await endWithoutDrafts(client, home.stateDir);
});

Deno.test("two bridges that write the same keys while these are damaged read what was saved, or errors", async () => {
  const chance = new Chance(SEED);
  await using home = new BridgeHome();
  await using one = await StdioClient.connect(home);
  await using other = await StdioClient.connect(home);
  const keys = ["a", "b"];
  const path = async (key: string) => `${home.stateDir}/memory/${await toRecordName(key)}`;
  for (const key of keys) await evaluate(one, "at first", `save_memory("${key}", "${key} 0")`);
  let isOver = false;
  const write = async (client: StdioClient, who: string) => {
    for (let n = 1; !isOver; n++) {
      const key = keys[n % keys.length]!;
      const what = `seed ${SEED}, ${who} ${n}`;
      const outcomes = await evaluate(
        client,
        what,
        `save_memory("${key}", "${key} ${n}")["key"]`,
        `load_memory("${key}")`,
        `update_memory("${key}", lambda old: old)`,
      );
      for (const { value, error } of outcomes) {
        if (error !== undefined) assertTells(error, `"${key}"`, what);
        else {assert(
            value === null || new RegExp(`^${key}( \\d+)?$`).test(String(value)),
            `${value}`,
          );}
      }
    }
  };
  const writers = Promise.all([write(one, "one"), write(other, "other")]);
  // Told at the end.
  writers.catch(() => {});
  for (const [damage] of damages(chance, 26)) {
    const file = await path(chance.pick(keys));
    // A bridge may put a new file there at any moment.
    await damage.apply(file, chance).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, chance.below(60)));
    if (damage.name.startsWith("folder")) await clear(file);
  }
  isOver = true;
  await writers;
  for (const client of [one, other]) {
    for (const key of keys) {
      await clear(await path(key));
      const saved = await evaluate(client, "at last", `save_memory("${key}", 1)["key"]`);
      assertEquals(saved, [{ value: key }]);
    }
  }
  assertEquals(await evaluate(one, "at last", "len(list_memories())"), [{ value: 2 }]);
  await endWithoutDrafts(one);
  await endWithoutDrafts(other, home.stateDir);
});
