/** The documents are true: commands run, tables are complete, links lead somewhere. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { flagOf, SETTING_KEYS, SETTINGS } from "../src/config/schema.ts";
import { BridgeHome } from "./support/bridge_home.ts";
import { cacheDir } from "./support/engines.ts";

const root = new URL("..", import.meta.url);
const read = (path: string) => Deno.readTextFile(new URL(path, root));

/** The Deno that runs the tests, however a reader starts theirs. */
const SHELL = `deno() { "${Deno.execPath()}" "$@"; }
npx() { shift 2; deno "$@"; }`;

async function documents(): Promise<string[]> {
  const paths = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"];
  for (const folder of ["docs/", "docs/decisions/"]) {
    for await (const entry of Deno.readDir(new URL(folder, root))) {
      if (entry.name.endsWith(".md")) paths.push(`${folder}${entry.name}`);
    }
  }
  return paths.sort();
}

for (const path of await documents()) {
  const text = await read(path);

  for (const [, command] of text.matchAll(/<!-- test: run -->\s*```sh\n([\s\S]*?)```/g)) {
    Deno.test(`${path}: \`${command!.trim().split("\n")[0]}\` runs`, async () => {
      const { success, stderr } = await new Deno.Command("sh", {
        args: ["-e", "-c", `${SHELL}\n${command}`],
        cwd: root,
        env: { MCP_BRIDGE_CACHE_DIR: cacheDir },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).output();
      assert(success, new TextDecoder().decode(stderr));
    });
  }

  Deno.test(`${path}: every relative link leads to a file`, async () => {
    const base = new URL(path, root);
    const missing: string[] = [];
    for (const [, target] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)) {
      await Deno.stat(new URL(target!, base)).catch(() => missing.push(target!));
    }
    assertEquals(missing, []);
  });

  Deno.test(`${path}: every task it names exists`, () => {
    const named = [...text.matchAll(/deno(?:@[\d.]+)? task (\w+)/g)].map(([, name]) => name!);
    assertEquals(named.filter((name) => !(name in config.tasks)), []);
  });

  Deno.test(`${path}: every file it names in code exists`, async () => {
    const missing: string[] = [];
    const named = text.matchAll(/`((?:src|runtime|tests|examples|bench)\/[\w./-]+\.\w+)`/g);
    for (const [, file] of named) {
      await Deno.stat(new URL(file!, root)).catch(() => missing.push(file!));
    }
    assertEquals(missing, []);
  });
}

Deno.test("docs/architecture.md: every file it names is there", async () => {
  const known = new Set<string>();
  for (const folder of ["src", "runtime", "tests"]) await collectNames(new URL(`${folder}/`, root));
  const text = await read("docs/architecture.md");
  const named = [...text.matchAll(/`(\w+\.(?:ts|py))`/g)].map(([, name]) => name!);
  assertEquals(named.filter((name) => name !== "main.ts" && !known.has(name)), []);

  async function collectNames(folder: URL): Promise<void> {
    for await (const entry of Deno.readDir(folder)) {
      if (entry.isDirectory) await collectNames(new URL(`${entry.name}/`, folder));
      else known.add(entry.name);
    }
  }
});

Deno.test("README.md: the entry for a client starts the server, and Claude Code gets the same", async () => {
  const text = await read("README.md");
  const { mcpServers } = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)![1]!);
  const [[name, { command, args }]] = Object.entries<{ command: string; args: string[] }>(
    mcpServers,
  ) as [[string, { command: string; args: string[] }]];
  assertStringIncludes(text, `claude mcp add ${name} -- ${command} ${args.join(" ")}\n`);
  assertEquals(command, "deno");
  const main = new URL("main.ts", root).pathname;
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...args.map((arg) => arg.replace("/path/to/main.ts", main)), "--version"],
    stderr: "null",
  }).output();
  assert(success);
  assertStringIncludes(new TextDecoder().decode(stdout), config.version);
});

Deno.test("docs/settings.md has a row for every setting, with its flag and default", async () => {
  const text = await read("docs/settings.md");
  for (const key of SETTING_KEYS) {
    const setting: { env: string; default?: string; help: string } = SETTINGS[key];
    const row = text.split("\n").find((line) => line.includes(`\`${setting.env}\``));
    assert(row !== undefined, `${setting.env} is missing`);
    assertStringIncludes(row, `\`${flagOf(key)}\``);
    if (setting.default !== undefined) assertStringIncludes(row, setting.default);
  }
});

Deno.test("docs/dependencies.md has a line for every dependency with its version", async () => {
  const text = await read("docs/dependencies.md");
  const packages = Object.values(config.imports).filter((target) => !target.startsWith("./"));
  for (const specifier of packages) {
    const [, name, version] = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)@([^/]+)/.exec(specifier) ?? [];
    const line = text.split("\n").find((line) => line.includes(`\`${name}\``));
    assert(line?.includes(version!), `${name} ${version} is missing`);
  }
});

Deno.test("the suites start the whole program as users do: with the permissions of deno.json", async () => {
  await using home = new BridgeHome();
  const { command, args } = home.command({ args: ["--engine", "wasm"] });
  assertEquals(command, Deno.execPath());
  assertEquals(args, ["run", "-P", new URL("main.ts", root).pathname, "--engine", "wasm"]);
});

Deno.test("docs/security.md says what each grant of the permission set is for", async () => {
  const text = await read("docs/security.md");
  for (const [kind, value] of Object.entries(config.permissions.default)) {
    // The suites rely on it as well: they start the program with `-P`.
    assertEquals(value, true);
    assertStringIncludes(text, `| \`${kind}: true\` `);
  }
});
