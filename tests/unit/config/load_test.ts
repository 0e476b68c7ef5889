import { assertEquals, assertThrows } from "@std/assert";
import type { Flags } from "../../../src/config/schema.ts";
import type { Environment } from "../../../src/config/folders.ts";
import { ENVIRONMENT_NAMES, loadConfig, readVariable } from "../../../src/config/load.ts";
import { AppError } from "../../../src/shared/errors.ts";

/** A file with servers has to be there. */
const THIS_FILE = new URL(import.meta.url).pathname;

function load(env: Environment = {}, flags: Flags = {}) {
  return loadConfig(flags, { env: { HOME: "/home/a", ...env }, os: "linux" });
}

function errorOf(env: Environment, flags: Flags = {}): string {
  const error = assertThrows(() => load(env, flags), AppError);
  assertEquals(error.code, "config");
  return error.describe();
}

Deno.test("loadConfig() gives the defaults when nothing is set", () => {
  assertEquals(load(), {
    engine: "auto",
    timeoutSeconds: 30,
    maxTimeoutSeconds: 120,
    memoryBytes: 536_870_912,
    pids: 128,
    containerUser: "65534:65534",
    image: "python:3.14-slim",
    runtimeIdleTimeoutSeconds: 300,
    serverStartTimeoutSeconds: 30,
    serverIdleTimeoutSeconds: 600,
    askTimeoutSeconds: 600,
    state: "persistent",
    stateDir: "/home/a/.local/state/mcp-bridge",
    cacheDir: "/home/a/.cache/mcp-bridge",
    allowSelfServer: false,
    trustProject: false,
    outputMode: "compact",
    structured: "auto",
    maxOutputChars: 30_000,
    logLevel: "info",
    explicit: new Set<never>(),
  });
});

Deno.test("loadConfig() reads every setting from its variable", () => {
  const config = load({
    MCP_BRIDGE_ENGINE: "podman",
    MCP_BRIDGE_TIMEOUT: "5",
    MCP_BRIDGE_MAX_TIMEOUT: "10",
    MCP_BRIDGE_MEMORY: "1.5G",
    MCP_BRIDGE_PIDS: "64",
    MCP_BRIDGE_CPUS: "0.5",
    MCP_BRIDGE_CONTAINER_USER: "1000:1000",
    MCP_BRIDGE_IMAGE: "localhost/py:3.14",
    MCP_BRIDGE_RUNTIME: "/opt/podman/bin/podman",
    MCP_BRIDGE_RUNTIME_IDLE_TIMEOUT: "60",
    MCP_BRIDGE_SERVER_START_TIMEOUT: "7",
    MCP_BRIDGE_SERVER_IDLE_TIMEOUT: "8",
    MCP_BRIDGE_ASK_TIMEOUT: "9",
    MCP_BRIDGE_STATE: "fresh",
    MCP_BRIDGE_STATE_DIR: "~/state",
    MCP_BRIDGE_CACHE_DIR: "/var/cache/bridge",
    MCP_SERVERS_CONFIG: THIS_FILE,
    MCP_BRIDGE_ALLOW_SELF_SERVER: "1",
    MCP_BRIDGE_TRUST_PROJECT: "1",
    MCP_BRIDGE_OUTPUT_MODE: "toon",
    MCP_BRIDGE_STRUCTURED: "never",
    MCP_BRIDGE_MAX_OUTPUT: "2000",
    MCP_BRIDGE_LOG_LEVEL: "debug",
  });
  const { explicit, ...values } = config;
  assertEquals(values, {
    engine: "podman",
    timeoutSeconds: 5,
    maxTimeoutSeconds: 10,
    memoryBytes: 1_610_612_736,
    pids: 64,
    cpus: 0.5,
    containerUser: "1000:1000",
    image: "localhost/py:3.14",
    runtime: "/opt/podman/bin/podman",
    runtimeIdleTimeoutSeconds: 60,
    serverStartTimeoutSeconds: 7,
    serverIdleTimeoutSeconds: 8,
    askTimeoutSeconds: 9,
    state: "fresh",
    stateDir: "/home/a/state",
    cacheDir: "/var/cache/bridge",
    serversConfig: THIS_FILE,
    allowSelfServer: true,
    trustProject: true,
    outputMode: "toon",
    structured: "never",
    maxOutputChars: 2000,
    logLevel: "debug",
  });
  assertEquals(explicit.size, 23);
});

Deno.test("loadConfig() lets a flag win over its variable", () => {
  assertEquals(load({ MCP_BRIDGE_PIDS: "64" }, { pids: "32" }).pids, 32);
});

Deno.test("loadConfig() takes an empty variable as unset", () => {
  const config = load({ MCP_BRIDGE_PIDS: "", MCP_BRIDGE_RUNTIME: "" });
  assertEquals(config.pids, 128);
  assertEquals("runtime" in config, false);
  assertEquals(config.explicit, new Set());
});

Deno.test("loadConfig() says which settings the operator set", () => {
  const config = load({ MCP_BRIDGE_MEMORY: "512m" }, { pids: "128" });
  assertEquals(config.explicit, new Set(["memoryBytes", "pids"] as const));
});

Deno.test("loadConfig() has no folders when no home is known", () => {
  const config = loadConfig({}, { env: {}, os: "linux" });
  assertEquals("stateDir" in config, false);
  assertEquals("cacheDir" in config, false);
});

Deno.test("loadConfig() names a bad variable, its value and what is allowed", () => {
  assertEquals(
    errorOf({ MCP_BRIDGE_MEMORY: "512x" }),
    'Cannot use MCP_BRIDGE_MEMORY="512x": expected a number with b, k, m or g\n' +
      "  hint: Set it to 512m; the server does not start with a partly applied policy",
  );
});

Deno.test("loadConfig() names a bad flag, its value and what is allowed", () => {
  assertEquals(
    errorOf({ MCP_BRIDGE_MEMORY: "1g" }, { memoryBytes: "512x" }),
    'Cannot use --memory="512x": expected a number with b, k, m or g\n' +
      "  hint: Set it to 512m; the server does not start with a partly applied policy",
  );
});

Deno.test("loadConfig() reports all bad settings at once", () => {
  assertEquals(
    errorOf({ MCP_BRIDGE_ENGINE: "wasi", MCP_BRIDGE_TIMEOUT: "500" }, { pids: "many" }),
    'Cannot use MCP_BRIDGE_ENGINE="wasi": expected auto, wasm, podman or docker\n' +
      'Cannot use --pids="many": expected a whole number from 8 to 1000000\n' +
      'Cannot use MCP_BRIDGE_TIMEOUT="500": the maximum is 120 seconds\n' +
      "  hint: Correct all of them; the server does not start with a partly applied policy",
  );
});

Deno.test("loadConfig() refuses a timeout above the maximum", () => {
  assertEquals(
    errorOf({ MCP_BRIDGE_TIMEOUT: "61", MCP_BRIDGE_MAX_TIMEOUT: "60" }),
    'Cannot use MCP_BRIDGE_TIMEOUT="61": the maximum is 60 seconds\n' +
      "  hint: Lower it, or raise MCP_BRIDGE_MAX_TIMEOUT",
  );
});

Deno.test("loadConfig() lowers the default timeout to a lower maximum", () => {
  assertEquals(load({ MCP_BRIDGE_MAX_TIMEOUT: "10" }).timeoutSeconds, 10);
});

const REFUSED: [variable: string, value: string, expected: string][] = [
  ["MCP_BRIDGE_ENGINE", "WASM", "expected auto, wasm, podman or docker"],
  ["MCP_BRIDGE_TIMEOUT", "0", "expected a whole number from 1 to 86400"],
  ["MCP_BRIDGE_TIMEOUT", "2.5", "expected a whole number from 1 to 86400"],
  ["MCP_BRIDGE_TIMEOUT", "-1", "expected a whole number from 1 to 86400"],
  ["MCP_BRIDGE_MAX_TIMEOUT", "86401", "expected a whole number from 1 to 86400"],
  ["MCP_BRIDGE_MEMORY", "512", "expected a number with b, k, m or g"],
  ["MCP_BRIDGE_MEMORY", "m", "expected a number with b, k, m or g"],
  ["MCP_BRIDGE_MEMORY", "63m", "expected at least 64m"],
  ["MCP_BRIDGE_MEMORY", "2000g", "expected at most 1024g"],
  ["MCP_BRIDGE_CPUS", "0", "expected a number from 0.01 to 1024"],
  ["MCP_BRIDGE_CPUS", "two", "expected a number from 0.01 to 1024"],
  ["MCP_BRIDGE_CONTAINER_USER", "root", "expected uid:gid in numbers"],
  ["MCP_BRIDGE_IMAGE", "--privileged", 'expected an image name without spaces or a leading "-"'],
  ["MCP_BRIDGE_IMAGE", "a b", 'expected an image name without spaces or a leading "-"'],
  ["MCP_BRIDGE_RUNTIME", "nerdctl", "expected podman, docker or a path"],
  ["MCP_BRIDGE_RUNTIME", "-x/podman", "expected podman, docker or a path"],
  ["MCP_BRIDGE_STATE", "kept", "expected persistent or fresh"],
  ["MCP_BRIDGE_STATE_DIR", " ", "expected a folder"],
  ["MCP_SERVERS_CONFIG", " ", "expected a file"],
  ["MCP_BRIDGE_ALLOW_SELF_SERVER", "yes", "expected 0 or 1"],
  ["MCP_BRIDGE_TRUST_PROJECT", "true", "expected 0 or 1"],
  ["MCP_BRIDGE_OUTPUT_MODE", "json", "expected compact or toon"],
  ["MCP_BRIDGE_STRUCTURED", "1", "expected auto, always or never"],
  ["MCP_BRIDGE_MAX_OUTPUT", "999", "expected a whole number from 1000 to 10000000"],
  ["MCP_BRIDGE_LOG_LEVEL", "loud", "expected debug, info, warn or error"],
];

for (const [variable, value, expected] of REFUSED) {
  Deno.test(`loadConfig() refuses ${variable}="${value}"`, () => {
    const message = errorOf({ [variable]: value }).split("\n")[0];
    assertEquals(message, `Cannot use ${variable}=${JSON.stringify(value)}: ${expected}`);
  });
}

for (const value of ["podman", "docker", "./podman", "/usr/bin/docker", "C:\\bin\\podman.exe"]) {
  Deno.test(`loadConfig() accepts MCP_BRIDGE_RUNTIME="${value}"`, () => {
    assertEquals(load({ MCP_BRIDGE_RUNTIME: value }).runtime, value);
  });
}

/** What `expression` over the module is in a process with permission for `names` alone. */
async function evaluate(expression: string, names: readonly string[]): Promise<string> {
  const module = new URL("../../../src/config/load.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--no-prompt", `--allow-env=${names.join(",")}`, "-"],
    env: { MCP_BRIDGE_PIDS: "77", OTHER_TOKEN: "secret" },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(
    `import * as load from "${module}"; console.log(${expression});`,
  ));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}

Deno.test("loadConfig() needs permission for the declared variables only", async () => {
  assertEquals(await evaluate("load.loadConfig({}).pids", ENVIRONMENT_NAMES), "77\n");
});

Deno.test("readVariable() tells an unset variable from one it may not read", async () => {
  const read = '["MCP_BRIDGE_PIDS", "MCP_BRIDGE_NONE", "OTHER_TOKEN"].map(load.readVariable)';
  const expected = '[ "77", undefined, Symbol(denied) ]\n';
  assertEquals(await evaluate(read, ["MCP_BRIDGE_*"]), expected);
});

Deno.test("readVariable() takes a name that no variable can have as not set", () => {
  for (const name of ["", "A=B", "A\0B"]) assertEquals(readVariable(name), undefined);
});

Deno.test("loadConfig() refuses a file of servers that is not there, and a folder", () => {
  assertEquals(
    errorOf({ MCP_SERVERS_CONFIG: "~/none.json" }),
    'Cannot use MCP_SERVERS_CONFIG="/home/a/none.json": there is no such file\n' +
      "  hint: Name a file with MCP servers, or leave MCP_SERVERS_CONFIG out",
  );
  assertEquals(
    errorOf({}, { serversConfig: `${THIS_FILE}/below` }),
    `Cannot use --servers-config="${THIS_FILE}/below": there is no such file\n` +
      "  hint: Name a file with MCP servers, or leave --servers-config out",
  );
  assertEquals(
    errorOf({ MCP_SERVERS_CONFIG: "/" }).split("\n")[0],
    'Cannot use MCP_SERVERS_CONFIG="/": it is a folder',
  );
});
