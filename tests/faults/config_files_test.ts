/** 5,000 broken, hostile and huge configuration files through discovery, on a real disk. */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import fc from "fast-check";
import { createServerDiscovery } from "../../src/discovery/server_discovery.ts";
import type { ServerDiscovery } from "../../src/discovery/entry/server_entry.ts";
import { printable } from "../../src/shared/printable.ts";
import { HostProbe } from "../support/host_probe.ts";
import { inFolder } from "../support/temp_folder.ts";
import { BOMBS, type ConfigText, configText, type Format } from "./config_texts.ts";

const ROUNDS = 1000;

/** Five files, where five clients would have them. */
const FILES = {
  "named.yaml": configText("yaml"),
  ".cursor/mcp.json": configText("json"),
  ".codex/config.toml": configText("toml"),
  ".config/goose/config.yaml": configText("yaml"),
  "project/.mcp.json": configText("json"),
} as const satisfies Record<string, fc.Arbitrary<ConfigText>>;

/** Where a file of each format is read; of JSON the person's own, and the project's. */
const BOMBED: ReadonlyArray<[path: string, format: Format]> = [
  ["project/.mcp.json", "json"],
  [".codex/config.toml", "toml"],
  [".config/goose/config.yaml", "yaml"],
];

const MAX_NAME_CHARS = 200;

Deno.test("a configuration file that is larger or deeper than it looks holds nobody up", () =>
  inHome(async (home) => {
    using probe = new HostProbe();
    for (const [path, format] of BOMBED) {
      for (const bomb of BOMBS[format]) {
        await look(home, { [path]: { bytes: new TextEncoder().encode(bomb) } });
      }
      await Deno.remove(`${home}/${path}`);
    }
    probe.assertWithin("Configuration files that are bombs", { riseMiB: 300 });
  }));

Deno.test("a project of many configuration files holds nobody up", () =>
  inHome(async (home) => {
    await Deno.mkdir(`${home}/project/.mcp`);
    const text = `{"mcpServers":{${'"a":{"command":"x"},'.repeat(3000)}"b":1}} // so`;
    for (let index = 0; index < 40; index++) {
      await Deno.writeTextFile(`${home}/project/.mcp/${index}.json`, text);
    }
    using probe = new HostProbe();
    const { servers, skipped } = await discoveryOf(home).discover();
    assertEquals([servers.length, skipped.length], [1, 79]);
    probe.assertWithin("40 long files of a project", { riseMiB: 300 });
  }));

Deno.test("5,000 hostile configuration files are read or reported, and hold nobody up", () =>
  inHome(async (home) => {
    using probe = new HostProbe();
    await fc.assert(fc.asyncProperty(fc.record(FILES), (files) => look(home, files)), {
      numRuns: ROUNDS,
      endOnFailure: true,
    });
    probe.assertWithin("5,000 configuration files", { riseMiB: 300 });
  }));

async function inHome(body: (home: string) => Promise<void>): Promise<void> {
  await inFolder(async (home) => {
    for (const path of Object.keys(FILES)) {
      await Deno.mkdir(`${home}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    }
    await Deno.writeTextFile(`${home}/named.yaml`, "");
    await body(home);
  });
}

function discoveryOf(home: string): ServerDiscovery {
  const env: Record<string, string> = { HOME: home, A: "a" };
  return createServerDiscovery(
    { allowSelfServer: false, trustProject: true, serversConfig: `${home}/named.yaml` },
    { cwd: `${home}/project`, os: "linux", readVariable: (name) => env[name] },
  );
}

async function look(home: string, files: Readonly<Record<string, ConfigText>>): Promise<void> {
  for (const [path, { bytes }] of Object.entries(files)) {
    await Deno.writeFile(`${home}/${path}`, bytes);
  }
  const { servers, skipped } = await discoveryOf(home).discover();
  for (const { reason, source, name = "" } of skipped) {
    const file = files[source.file.slice(home.length + 1)];
    assert(file !== undefined, `${source.file} is none of the files`);
    const lines = new TextDecoder().decode(file.bytes).split("\n").length;
    assert(source.line >= 1, reason);
    assertLessOrEqual(source.line, lines, `${source.file}: ${reason}`);
    // deno-lint-ignore no-control-regex
    assert(reason !== "" && !/[\x00-\x1f\x7f-\x9f]/.test(reason + name), JSON.stringify(reason));
  }
  const places = [...servers, ...skipped];
  for (const [path, { servers: names }] of Object.entries(files)) {
    if (names === undefined) continue;
    const told = places.filter(({ source }) => source.file === `${home}/${path}`);
    // Those that live inside the client are left out in silence.
    const missing = names.filter((name) => !told.some((one) => one.name === shown(name)));
    assertEquals(missing.filter(() => !path.endsWith(".yaml")), [], path);
  }
}

/** A name as reports have it. */
function shown(name: string): string {
  return printable(name.slice(0, MAX_NAME_CHARS));
}
