import { assertEquals, assertThrows } from "@std/assert";
import { ConfigProblem } from "../../../../src/discovery/config_problem.ts";
import {
  checkFields,
  isDisabled,
  timeoutSeconds,
} from "../../../../src/discovery/entry/server_fields.ts";
import { toTransport } from "../../../../src/discovery/entry/server_transport.ts";
import { variables } from "../support.ts";

const CONTEXT = {
  os: "linux",
  readVariable: variables({ TOKEN: "t0p", PORT: "80", BLANK: " " }),
  cwd: "/w",
  home: "/home/a",
  dialect: "plain",
} as const;

const transport = (entry: unknown) => toTransport(checkFields(entry), CONTEXT);

function problemOf(entry: unknown): string {
  const { message, path } = assertThrows(() => transport(entry), ConfigProblem);
  return `${path.join("/")}: ${message}`;
}

function stdio(command: string, args: string[] = [], env = {}, cwd?: string) {
  return { kind: "stdio", command, args, env, ...(cwd && { cwd }) };
}

const URL_ = "https://x.example/mcp";
const remote = (kind: string, headers = {}, url = URL_) => ({ kind, url, headers });

const REACHED: [entry: unknown, expected: unknown][] = [
  [{ command: "npx", args: ["-y", "x"] }, stdio("npx", ["-y", "x"])],
  [{ command: ["npx", "-y", "x"], args: ["z"] }, stdio("npx", ["-y", "x", "z"])],
  [{ command: { path: "node", args: ["x"], env: { A: "1" } } }, stdio("node", ["x"], { A: "1" })],
  [
    { cmd: "uvx", args: ["x", 80, true], envs: { P: 1 } },
    stdio("uvx", ["x", "80", "true"], { P: "1" }),
  ],
  [
    { command: "x", env: { A: "${TOKEN}", B: null }, environment: { A: "0", C: "~/c" } }, // env wins
    stdio("x", [], { A: "t0p", C: "/home/a/c" }),
  ],
  [
    { command: "x", env_vars: ["TOKEN", "NONE", { name: "PORT" }] },
    stdio("x", [], { TOKEN: "t0p" }),
  ],
  [
    { command: "~/bin/x", args: ["~/y", "${workspaceFolder}"], cwd: "~/z" },
    stdio("/home/a/bin/x", ["/home/a/y", "/w"], {}, "/home/a/z"),
  ],
  [{ command: "x", cwd: "./sub" }, stdio("x", [], {}, "/w/sub")],
  [{ command: "x", type: "stdio", url: URL_ }, stdio("x")],
  [{ command: "x", type: "LOCAL" }, stdio("x")],
  [{ command: "x", url: "", cwd: "", args: null, env: null, type: null }, stdio("x")],
  [{ command: "x", unknown: { any: 1 } }, stdio("x")],
  [{ url: URL_ }, remote("auto")],
  [{ serverUrl: URL_ }, remote("auto")],
  [{ uri: URL_, type: "streamable_http" }, remote("http")],
  [{ httpUrl: URL_ }, remote("http")],
  [{ httpUrl: URL_, url: "https://old.example/sse" }, remote("http")],
  [{ url: URL_, type: "http" }, remote("http")],
  [{ url: URL_, type: "streamableHttp" }, remote("http")],
  [{ url: URL_, type: "sse" }, remote("sse")],
  [{ url: URL_, type: "remote" }, remote("auto")],
  [
    { url: "http://localhost:${PORT}/", headers: { "X-A": "Bearer ${TOKEN}" } },
    remote("auto", { "x-a": "Bearer t0p" }, "http://localhost:80/"),
  ],
  [{ url: URL_, bearer_token_env_var: "TOKEN" }, remote("auto", { authorization: "Bearer t0p" })],
  [
    { url: URL_, bearer_token_env_var: "TOKEN", headers: { Authorization: "x" } },
    remote("auto", { authorization: "Bearer t0p" }),
  ],
  [
    { url: URL_, http_headers: { A: "1" }, env_http_headers: { B: "TOKEN" } },
    remote("auto", { a: "1", b: "t0p" }),
  ],
];

for (const [entry, expected] of REACHED) {
  Deno.test(`toTransport() of ${JSON.stringify(entry)}`, () => {
    assertEquals(transport(entry) as unknown, expected);
  });
}

const REFUSED: [entry: unknown, problem: string][] = [
  ["npx", ": Cannot use the entry: expected an object"],
  [[], ": Cannot use the entry: expected an object"],
  [null, ": Cannot use the entry: expected an object"],
  [{}, ': Cannot use the entry: neither "command" nor "url" is set'],
  [{ command: " " }, ': Cannot use the entry: neither "command" nor "url" is set'],
  [{ command: [] }, ': Cannot use the entry: neither "command" nor "url" is set'],
  [
    { source: "extension" },
    ": Cannot use the entry: only Zed can start the server of an extension",
  ],
  [{ command: "x", url: URL_ }, ': Cannot choose between "command" and a URL: "type" is not set'],
  [{ command: 5 }, 'command: Cannot use "command": expected text or a list of texts'],
  [{ command: "x", args: "y" }, 'args: Cannot use "args": expected a list of texts'],
  [{ command: "x", args: ["y", {}] }, 'args/1: Cannot use "args.1": expected text'],
  [{ command: "x", env: ["A=1"] }, 'env: Cannot use "env": expected names with texts'],
  [{ command: "x", env: { A: {} } }, 'env/A: Cannot use "env.A": expected text'],
  [{ command: "x", cwd: 1 }, 'cwd: Cannot use "cwd": expected text'],
  [{ command: "x", timeout: "9" }, 'timeout: Cannot use "timeout": expected a number above 0'],
  [{ command: "x", timeout: -1 }, 'timeout: Cannot use "timeout": expected a number above 0'],
  [{ command: "x", disabled: "no" }, 'disabled: Cannot use "disabled": expected true or false'],
  [
    { command: "x", type: "ws" },
    'type: Cannot use "type": expected stdio, http, sse, local or remote',
  ],
  [{ command: "x", type: "http" }, 'type: Cannot use "type": "url" is not set'],
  [{ url: URL_, type: "stdio" }, 'type: Cannot use "type": "command" is not set'],
  [{ url: "mcp.example" }, 'url: Cannot use "url": expected an http or https URL'],
  [{ serverUrl: "ws://x" }, 'serverUrl: Cannot use "serverUrl": expected an http or https URL'],
  [{ url: "file:///etc/passwd" }, 'url: Cannot use "url": expected an http or https URL'],
  [
    { url: URL_, headers: { "a b": "1" } },
    'headers/a b: Cannot use "headers.a b": expected a name and a value that HTTP allows',
  ],
  [
    { url: URL_, headers: { A: "x\ny" } },
    'headers/A: Cannot use "headers.A": expected a name and a value that HTTP allows',
  ],
  [
    { command: "x", args: ["a\0b"] },
    'args: Cannot use "args": expected text without a zero character',
  ],
  [{ command: "x", env: { "A=B": "1" } }, 'env: Cannot use "env": expected names without "="'],
  [{ command: "x", env: { "": "1" } }, 'env: Cannot use "env": expected names without "="'],
  [{ command: "${BLANK}" }, 'command: Cannot use "command": expected text that is not blank'],
  [{ command: "${NONE}" }, 'command: Cannot use "command": the variable "NONE" is not set'],
  [{ command: "x", args: ["${NONE}"] }, 'args: Cannot use "args": the variable "NONE" is not set'],
  [
    { command: "x", env: { A: "${NONE}" } },
    'env/A: Cannot use "env.A": the variable "NONE" is not set',
  ],
  [
    { url: URL_, bearer_token_env_var: "NONE" },
    'bearer_token_env_var: Cannot use "bearer_token_env_var": the variable "NONE" is not set',
  ],
  [
    { url: URL_, env_http_headers: { B: "NONE" } },
    'env_http_headers/B: Cannot use "env_http_headers.B": the variable "NONE" is not set',
  ],
];

for (const [entry, problem] of REFUSED) {
  Deno.test(`toTransport() refuses ${JSON.stringify(entry)}`, () => {
    assertEquals(problemOf(entry), problem);
  });
}

Deno.test("toTransport() resolves a relative folder in the way of Windows", () => {
  const context = { ...CONTEXT, os: "windows", cwd: "C:\\w" } as const;
  const cwdOf = (cwd: string) => {
    const found = toTransport(checkFields({ command: "x", cwd }), context);
    return found.kind === "stdio" ? found.cwd : undefined;
  };
  assertEquals(cwdOf("sub"), "C:\\w\\sub");
  assertEquals(cwdOf("D:\\x"), "D:\\x");
  assertEquals(cwdOf("\\\\host\\share"), "\\\\host\\share");
});

Deno.test("isDisabled() knows both ways to switch off", () => {
  assertEquals([{ disabled: true }, { enabled: false }].map(isDisabled), [true, true]);
  assertEquals(
    [{ disabled: false }, { enabled: true }, {}, null, "x", { disabled: "true" }].some(isDisabled),
    false,
  );
});

const TIMEOUTS: [fields: object, countsSeconds: boolean, expected: number | undefined][] = [
  [{}, false, undefined],
  [{ timeout: 30 }, false, 30],
  [{ timeout: 30_000 }, false, 30],
  [{ timeout: 1500 }, false, 1.5],
  [{ timeout: 1200 }, true, 1200],
  [{ timeout: { startup: 5000, request: 45_000 } }, false, 45],
  [{ timeout: { startup: 5000 } }, false, undefined],
  [{ tool_timeout_sec: 3600, timeout: 1 }, false, 3600],
  [{ timeout: 1e300 }, false, 86_400],
];

for (const [fields, countsSeconds, expected] of TIMEOUTS) {
  Deno.test(`timeoutSeconds() of ${JSON.stringify(fields)}${countsSeconds ? " in seconds" : ""}`, () => {
    assertEquals(timeoutSeconds(checkFields(fields), countsSeconds), expected);
  });
}
