/** Discovery over real files in a home folder of its own. */
import { assert, assertEquals } from "@std/assert";
import { machineFiles } from "../../../src/discovery/config_files.ts";
import { createServerDiscovery } from "../../../src/discovery/server_discovery.ts";
import type { ServerDiscovery } from "../../../src/discovery/entry/server_entry.ts";
import { addTrusted, contentDigest, TRUST_FILE } from "../../../src/discovery/trust_store.ts";
import { Chance } from "../../faults/chance.ts";
import { DAMAGES } from "../../faults/damages.ts";
import { fixture, names, skips, variables } from "./support.ts";

const isWindows = Deno.build.os === "windows";

class Home implements AsyncDisposable {
  private constructor(readonly path: string) {}

  static async make(): Promise<Home> {
    return new Home(await Deno.realPath(await Deno.makeTempDir()));
  }

  get project(): string {
    return `${this.path}/project`;
  }

  async write(path: string, content: string | Uint8Array): Promise<string> {
    const file = `${this.path}/${path}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(file, content);
    else await Deno.writeFile(file, content);
    return file;
  }

  discovery(env: Record<string, string> = {}, trustProject = false): ServerDiscovery {
    const readVariable = variables({ HOME: this.path, USERPROFILE: this.path, ...env });
    return createServerDiscovery(
      { allowSelfServer: false, trustProject, stateDir: `${this.path}/state` },
      { cwd: this.project, readVariable },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

const one = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: "x" } } });

Deno.test("a user's files of many clients are found together", async () => {
  await using home = await Home.make();
  await home.write(".claude.json", fixture("claude-code.claude.json"));
  await home.write(".codex/config.toml", fixture("codex.config.toml"));
  await home.write(".gemini/settings.json", fixture("gemini.settings.json"));
  await home.write(".cursor/mcp.json", fixture("cursor.mcp.json"));
  await home.write("MCPs/clock.json", `\uFEFF${fixture("single.json")}`);
  await home.write("project/.mcp.json", fixture("claude-code.project.mcp.json"));
  const found = await home.discovery({ LINEAR_TOKEN: "t", HEADLESS: "1" }, true).discover();
  assertEquals(names(found), ["clock", "weather", "linear", "old", "browser", "board", "team"]);
  assertEquals(new Set(found.skipped.map((entry) => entry.status)), new Set(["shadowed"]));
});

Deno.test("a home with nothing in it has no servers and no errors", async () => {
  await using home = await Home.make();
  assertEquals(await home.discovery().discover(), { servers: [], skipped: [] });
});

Deno.test("a file that cannot be read costs that file", async () => {
  await using home = await Home.make();
  await home.write("MCPs/a.json", one("a"));
  await home.write("MCPs/b-empty.json", "");
  await Deno.mkdir(`${home.path}/MCPs/c-folder.json`);
  const huge = await home.write("MCPs/d-huge.json", "");
  await Deno.truncate(huge, 50 * 1024 ** 2);
  await home.write("MCPs/e-latin.json", new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]));
  await home.write(".cursor", "a file where a folder is expected");
  const expected = [
    "- invalid 1: Cannot read the file: it is a folder",
    "- invalid 1: Cannot read the file: it has 50 MiB, the most is 16 MiB",
    "- invalid 1: Cannot read the file: it is not UTF-8 text",
  ];
  if (!isWindows) {
    const { success } = await new Deno.Command("mkfifo", { args: [`${home.path}/MCPs/f.json`] })
      .output();
    assert(success);
    await Deno.symlink("nowhere", `${home.path}/MCPs/g.json`);
    await Deno.symlink("h.json", `${home.path}/MCPs/h.json`);
    expected.push("- invalid 1: Cannot read the file: it is not a regular file");
    expected.push("- invalid 1: Cannot read the file: FilesystemLoop");
  }
  const found = await home.discovery().discover();
  assertEquals(names(found), ["a"]);
  assertEquals(skips(found), expected);
});

Deno.test({
  name: "a project file that links to a file of the kernel is not read",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using home = await Home.make();
    await Deno.mkdir(`${home.project}/.mcp`, { recursive: true });
    // Without end; standing still; small and whole, but as little a file.
    const targets = ["/proc/self/pagemap", "/proc/kmsg", "/proc/self/status"];
    for (const [index, target] of targets.entries()) {
      await Deno.symlink(target, `${home.project}/.mcp/${index}.json`);
    }
    await home.write("project/.mcp.json", one("team"));
    const found = await home.discovery({}, true).discover();
    assertEquals(names(found), ["team"]);
    const reason = "- invalid 1: Cannot read the file: it is not a regular file";
    assertEquals(skips(found), targets.map(() => reason));
  },
});

Deno.test("machineFiles reads no more than it is asked for, and of what has no size nothing", async () => {
  await using home = await Home.make();
  const file = await home.write("file", "x".repeat(100_000));
  assertEquals((await machineFiles.read(file, 70_000)).length, 70_000);
  assertEquals((await machineFiles.read(file, 200_000)).length, 100_000);
  if (Deno.build.os !== "linux") return;
  assertEquals((await machineFiles.read("/proc/self/pagemap", 70_000)).length, 0);
});

Deno.test({
  name: "a file without permission costs that file",
  // Root reads everything, and Windows has no such mode.
  ignore: isWindows || Deno.uid() === 0,
  async fn() {
    await using home = await Home.make();
    await Deno.chmod(await home.write("MCPs/a.json", one("a")), 0);
    await home.write("MCPs/b.json", one("b"));
    const found = await home.discovery().discover();
    assertEquals(names(found), ["b"]);
    assertEquals(skips(found), ["- invalid 1: Cannot read the file: permission denied"]);
  },
});

Deno.test("a change on disk is seen at once, also one of the same size", async () => {
  await using home = await Home.make();
  const discovery = home.discovery();
  assertEquals(names(await discovery.discover()), []);
  const now = new Date();
  for (const name of ["a", "b", "c", "d"]) {
    const file = await home.write("MCPs/s.json", one(name));
    // A file system with a coarse clock gives quick changes the same time.
    await Deno.utime(file, now, now);
    assertEquals(names(await discovery.discover()), [name]);
  }
  await Deno.remove(`${home.path}/MCPs/s.json`);
  assertEquals(names(await discovery.discover()), []);
});

Deno.test("a project file is started from the moment its content is allowed until it changes", async () => {
  await using home = await Home.make();
  const file = await home.write("project/.mcp.json", one("team"));
  const discovery = home.discovery();
  assertEquals(names(await discovery.discover()), []);
  await addTrusted(`${home.path}/state`, file, await contentDigest(await Deno.readFile(file)));
  assertEquals(names(await discovery.discover()), ["team"]);
  await home.write("project/.mcp.json", one("evil"));
  const found = await discovery.discover();
  assertEquals([names(found), found.skipped[0]!.status], [[], "untrusted"]);
});

for (const { name, apply } of DAMAGES) {
  Deno.test(`a damaged list of what is allowed holds nothing up: ${name}`, async () => {
    await using home = await Home.make();
    await home.write("MCPs/s.json", one("mine"));
    const file = await home.write("project/.mcp.json", one("team"));
    await addTrusted(`${home.path}/state`, file, await contentDigest(await Deno.readFile(file)));
    await apply(`${home.path}/state/${TRUST_FILE}`, new Chance(1));
    assertEquals(names(await home.discovery().discover()), ["mine"]);
  });
}

Deno.test("machineFiles tells what is not there from what cannot be read", async () => {
  await using home = await Home.make();
  const file = await home.write("file", "x");
  assertEquals(await machineFiles.stat(`${home.path}/none`), undefined);
  assertEquals(await machineFiles.stat(`${file}/below`), undefined);
  assertEquals(await machineFiles.list(`${home.path}/none`), []);
  assertEquals(await machineFiles.list(file), []);
  assertEquals(await machineFiles.realPath(`${home.path}/none`), undefined);
  assertEquals((await machineFiles.stat(home.path))!.kind, "folder");
  assertEquals((await machineFiles.stat(file))!.sizeBytes, 1);
});

Deno.test("100 servers in 60 files are discovered within 100 ms", async () => {
  await using home = await Home.make();
  const entry = (index: number) => ({
    command: "npx",
    args: ["-y", `server-${index}`, "${userHome}/data", "/srv/files"],
    env: { TOKEN: "${TOKEN}", LEVEL: "info" },
    description: "x".repeat(200),
  });
  const many = Array.from({ length: 50 }, (_, index) => [`m${index}`, entry(index)] as const);
  await home.write(
    ".claude.json",
    JSON.stringify({ mcpServers: Object.fromEntries(many) }, null, 2),
  );
  for (let index = 0; index < 50; index++) {
    await home.write(`MCPs/s${index}.json`, JSON.stringify(entry(index)));
  }
  for (let index = 0; index < 9; index++) {
    await home.write(`.config/mcp/servers/${index}.json`, "{}");
  }

  const measure = async (discovery: ServerDiscovery) => {
    const started = performance.now();
    assertEquals((await discovery.discover()).servers.length, 100);
    return performance.now() - started;
  };
  for await (const { name } of Deno.readDir(`${home.path}/MCPs`)) {
    await Deno.utime(`${home.path}/MCPs/${name}`, 0, 0);
  }
  await Deno.utime(`${home.path}/.claude.json`, 0, 0);
  const fresh: number[] = [];
  for (let round = 0; round < 5; round++) fresh.push(await measure(home.discovery({ TOKEN: "t" })));
  const discovery = home.discovery({ TOKEN: "t" });
  await discovery.discover();
  const again: number[] = [];
  for (let round = 0; round < 5; round++) again.push(await measure(discovery));

  const show = (times: number[]) => times.map((time) => time.toFixed(1)).join(" ");
  // deno-lint-ignore no-console
  console.log(`  100 servers, 60 files: first ${show(fresh)} ms, unchanged ${show(again)} ms`);
  // Five times the goal, for a machine that is busy with other tests.
  assert(Math.min(...fresh) < 500, `took ${show(fresh)} ms`);
});
