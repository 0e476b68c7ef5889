/** What a person who types the command gets to see. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import denoJson from "../../deno.json" with { type: "json" };
import { BridgeHome, type BridgeOptions } from "../support/bridge_home.ts";

Deno.test("--version prints the version and nothing else", async () => {
  const { code, stdout } = await runCommand({ args: ["--version"] });
  assertEquals([code, stdout], [0, `${denoJson.version}\n`]);
});

for (const flag of ["--help", "-h"]) {
  Deno.test(`${flag} prints every setting`, async () => {
    const { code, stdout } = await runCommand({ args: [flag] });
    assertEquals(code, 0);
    assertMatch(stdout, /^mcp-bridge \d+\.\d+\.\d+\n/);
    for (const text of ["Usage: mcp-bridge", "--memory <size>", "MCP_BRIDGE_MEMORY", "[512m]"]) {
      assertStringIncludes(stdout, text);
    }
  });
}

Deno.test("--help is given even with a setting that cannot be used", async () => {
  const { code } = await runCommand({ args: ["--help"], env: { MCP_BRIDGE_MEMORY: "512x" } });
  assertEquals(code, 0);
});

const REFUSED: ReadonlyArray<[name: string, options: BridgeOptions, message: string]> = [
  [
    "a size in a unit that does not exist",
    { env: { MCP_BRIDGE_MEMORY: "512x" } },
    'Cannot use MCP_BRIDGE_MEMORY="512x": expected a number with b, k, m or g\n' +
    "  hint: Set it to 512m; the server does not start with a partly applied policy",
  ],
  [
    "the same by a flag",
    { args: ["--memory", "512x"] },
    'Cannot use --memory="512x": expected a number with b, k, m or g\n' +
    "  hint: Set it to 512m; the server does not start with a partly applied policy",
  ],
  [
    "an output mode that does not exist",
    { env: { MCP_BRIDGE_OUTPUT_MODE: "xml" } },
    'Cannot use MCP_BRIDGE_OUTPUT_MODE="xml": expected compact or toon\n' +
    "  hint: Set it to compact; the server does not start with a partly applied policy",
  ],
  [
    "an engine that does not exist",
    { env: { MCP_BRIDGE_ENGINE: "vm" } },
    'Cannot use MCP_BRIDGE_ENGINE="vm": expected auto, wasm, podman or docker\n' +
    "  hint: Set it to auto; the server does not start with a partly applied policy",
  ],
  [
    "several bad settings at once",
    { env: { MCP_BRIDGE_TIMEOUT: "0", MCP_BRIDGE_STATE: "new" } },
    'Cannot use MCP_BRIDGE_TIMEOUT="0": expected a whole number from 1 to 86400\n' +
    '  Cannot use MCP_BRIDGE_STATE="new": expected persistent or fresh\n' +
    "  hint: Correct all of them; the server does not start with a partly applied policy",
  ],
  [
    "a file of servers that is not there",
    { env: { MCP_SERVERS_CONFIG: "/nowhere/servers.json" } },
    'Cannot use MCP_SERVERS_CONFIG="/nowhere/servers.json": there is no such file\n' +
    "  hint: Name a file with MCP servers, or leave MCP_SERVERS_CONFIG out",
  ],
  [
    "a folder in place of a file of servers",
    { args: ["--servers-config", "/"] },
    'Cannot use --servers-config="/": it is a folder\n' +
    "  hint: Name a file with MCP servers, or leave --servers-config out",
  ],
  [
    "a flag with a typing error",
    { args: ["--memroy=1g"] },
    'Cannot use the argument "--memroy": unknown\n' +
    "  hint: Did you mean --memory? --help lists all flags",
  ],
  [
    "a flag without its value",
    { args: ["--memory"] },
    "Cannot use --memory: its value is missing\n  hint: Write --memory <value> or --memory=<value>",
  ],
];

for (const [name, options, message] of REFUSED) {
  Deno.test(`a user is told what is wrong with ${name}`, async () => {
    const { code, stdout, stderr } = await runCommand(options);
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, `mcp-bridge error: ${message}\n`);
  });
}

Deno.test("a server that cannot read its stdin says so and ends as one that failed", async () => {
  await using home = new BridgeHome();
  const { command, args, env, cwd } = home.command();
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", 'exec "$@" < /', "sh", command, ...args],
    env,
    clearEnv: true,
    cwd,
  }).output();
  assertEquals([code, new TextDecoder().decode(stdout)], [1, ""]);
  assertStringIncludes(
    new TextDecoder().decode(stderr),
    "mcp-bridge error: Cannot read what the client sends: Is a directory",
  );
});

Deno.test("a server without permissions says how it is started", async () => {
  await using home = new BridgeHome();
  const { command, args, env, cwd } = home.command();
  const { code, stderr } = await new Deno.Command(command, {
    args: args.map((argument) => argument === "-P" ? "--no-prompt" : argument),
    env,
    clearEnv: true,
    cwd,
    stdin: "null",
  }).output();
  assertEquals(code, 2);
  assertStringIncludes(
    new TextDecoder().decode(stderr),
    'hint: Start it with "deno run -P main.ts", which grants what it needs\n',
  );
});

/** Runs the command to its end, with an empty stdin. */
async function runCommand(options: BridgeOptions) {
  await using home = new BridgeHome();
  const { command, args, env, cwd } = home.command(options);
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args,
    env,
    clearEnv: true,
    cwd,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
