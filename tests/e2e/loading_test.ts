/**
 * What of the program is loaded by whom: the scripts that V8 has run, as `deno run --coverage` lists them.
 * That is Deno's own record of a real run, npm packages included.
 */
import { assert, assertEquals } from "@std/assert";
import { CHILD_COMMAND } from "../../src/engine/wasm/child_command.ts";
import { BridgeHome, MAIN } from "../support/bridge_home.ts";
import { inFolder } from "../support/temp_folder.ts";

const HEAVY = /\/(@modelcontextprotocol|zod)\//;

for (const flag of ["--version", "--help"]) {
  Deno.test(`${flag} loads fewer than 10 modules of ours, and neither SDK nor zod`, async () => {
    const { ours, packages } = await loadedBy([flag]);
    assert(ours.includes("main.ts") && ours.length < 10, ours.join("\n"));
    assertEquals(packages, []);
  });
}

Deno.test("saved-tools loads no SDK", async () => {
  const { ours, packages } = await loadedBy(["saved-tools"]);
  assert(ours.includes("src/cli/saved_tools.ts"), ours.join("\n"));
  assertEquals(packages.filter((url) => url.includes("/@modelcontextprotocol/")), []);
});

Deno.test("a program that is its own child loads neither SDK nor zod for it", async () => {
  const { ours, packages } = await loadedBy([CHILD_COMMAND, "plain", String(2 ** 30)]);
  assert(ours.includes("src/engine/wasm/child/main.ts"), ours.join("\n"));
  assertEquals(packages.filter((url) => HEAVY.test(url)), []);
});

Deno.test("from source the child loads neither SDK nor zod", async () => {
  const { ours, packages } = await loadedBy(["plain", String(2 ** 30)], CHILD_MAIN);
  assert(ours.includes("src/engine/wasm/child/main.ts") && !ours.includes("main.ts"));
  assertEquals(packages.filter((url) => HEAVY.test(url)), []);
});

Deno.test("the server itself loads both, so that the lists above are not empty by mistake", async () => {
  const { packages } = await loadedBy([]);
  for (const name of ["/@modelcontextprotocol/server/", "/zod/"]) {
    assert(packages.some((url) => url.includes(name)), name);
  }
});

Deno.test("what a sandbox may ask for is not loaded before one asks", async () => {
  const { ours } = await loadedBy([]);
  assert(ours.includes("src/session/run.ts"), ours.join("\n"));
  assertEquals(ours.filter((path) => /^src\/(wire\/rpc|rpc\/router)\.ts$/.test(path)), []);
});

const CHILD_MAIN = new URL("src/engine/wasm/child/main.ts", `file://${MAIN}`).pathname;

/** The modules that a run with an empty stdin has evaluated. */
async function loadedBy(args: readonly string[], main = MAIN) {
  await using home = new BridgeHome();
  const { command, env, cwd } = home.command({ args: ["--engine", "wasm"] });
  let urls: string[] = [];
  await inFolder(async (folder) => {
    await new Deno.Command(command, {
      args: ["run", "--quiet", "-P", `--coverage=${folder}`, main, ...args],
      env,
      clearEnv: true,
      cwd,
      stdin: "null",
      stdout: "null",
    }).output();
    const files = (await Array.fromAsync(Deno.readDir(folder)))
      .filter(({ name }) => name.endsWith(".json"));
    urls = await Promise.all(
      files.map(async ({ name }) =>
        JSON.parse(await Deno.readTextFile(`${folder}/${name}`)).url as string
      ),
    );
  });
  const root = new URL(".", `file://${MAIN}`).href;
  return {
    ours: urls.filter((url) => url.startsWith(root)).map((url) => url.slice(root.length)).sort(),
    packages: urls.filter((url) => url.includes("/npm/") || url.includes("/node_modules/")).sort(),
  };
}
