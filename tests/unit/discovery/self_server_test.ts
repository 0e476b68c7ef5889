import { assertEquals } from "@std/assert";
import {
  fileUrlPath,
  isNamedLikeUs,
  ownFiles,
  runsUs,
} from "../../../src/discovery/self_server.ts";
import { machineFiles } from "../../../src/discovery/config_files.ts";
import type { Os } from "../../../src/discovery/os_path.ts";
import { MemoryFiles } from "./memory_files.ts";

const US: string[][] = [
  ["mcp-server-code-execution-mode"],
  ["MCP_Server_Code_Execution_Mode"],
  ["x", "uvx", "mcp-server-code-execution-mode"],
  ["x", "uvx", "mcp-server-code-execution-mode@latest"],
  ["x", "uvx", "mcp-server-code-execution-mode==1.2"],
  ["x", "uvx", "--from", "git+https://github.com/a/mcp-server-code-execution-mode.git", "run"],
  ["x", "uvx", "--from=git+https://github.com/a/mcp-server-code-execution-mode@main", "run"],
  ["x", "python", "-m", "mcp_server_code_execution_mode"],
  ["x", "python", "/opt/mcp_server_code_execution_mode.py"],
  ["x", "C:\\tools\\mcp-server-code-execution-mode.exe"],
  ["x", "uv", "--directory", "/src/mcp-server-code-execution-mode/", "run", "main.py"],
  ["x", "docker", "run", "-i", "ghcr.io/a/mcp-server-code-execution-mode:latest"],
  ["x", "npx", "-y", "@mcp-bridge/mcp-bridge"],
  ["x", "npx", "-y", "@mcp-bridge/mcp-bridge@latest"],
  ["x", "deno", "run", "-P", "jsr:@mcp-bridge/mcp-bridge"],
  ["x", "deno", "run", "-P", "jsr:@mcp-bridge/mcp-bridge@^0.1/main.ts"],
  ["x", "deno", "run", "npm:@mcp-bridge/mcp-bridge"],
  ["x", "deno", "run", "https://jsr.io/@mcp-bridge/mcp-bridge/0.1.0/main.ts"],
  ["x", "npx", "@jsr/mcp-bridge__mcp-bridge"],
  ["x", "node", "C:\\npm\\node_modules\\@mcp-bridge\\mcp-bridge\\main.js"],
  ["x", "bash", "-lc", "exec deno run -P 'jsr:@mcp-bridge/mcp-bridge' --engine wasm"],
  ["x", "cmd", "/c", "uvx mcp-server-code-execution-mode & pause"],
];

for (const texts of US) {
  Deno.test(`isNamedLikeUs() knows us in ${JSON.stringify(texts)}`, () => {
    assertEquals(isNamedLikeUs(texts), true);
  });
}

const OTHERS: string[][] = [
  ["mcp-bridge", "npx", "-y", "weather-mcp"],
  ["x", "mcp-bridge"],
  ["x", "npx", "@mcp-bridge/mcp-bridge-weather"],
  ["x", "npx", "@other/mcp-bridge"],
  ["x", "npx", "mcp-server-code-execution"],
  ["x", "npx", "my-mcp-server-code-execution-mode"],
  ["x", "npx", "mcp-server-code-execution-mode-plus"],
  ["x", "sqlite", "/data/mcp-server-code-execution-mode/notes.db"],
  ["x", "", ""],
];

for (const texts of OTHERS) {
  Deno.test(`isNamedLikeUs() takes ${JSON.stringify(texts)} for another`, () => {
    assertEquals(isNamedLikeUs(texts), false);
  });
}

async function runsOwn(
  own: string,
  command: string,
  args: string[] = [],
  options: { os?: Os; cwd?: string; link?: string } = {},
): Promise<boolean> {
  const { os = "linux", cwd, link } = options;
  const files = new MemoryFiles({ [own]: "" });
  if (link !== undefined) files.link(link, own);
  const transport = { kind: "stdio" as const, command, args, env: {}, ...(cwd && { cwd }) };
  return await runsUs(transport, { os, cwd: "/w", files, ownFiles: [own] });
}

Deno.test("runsUs() knows main.ts by its real path", async () => {
  const own = "/src/bridge/main.ts";
  assertEquals(await runsOwn(own, "deno", ["run", "-A", own]), true);
  assertEquals(await runsOwn(own, "deno", ["run", `file://${own}`]), true);
  assertEquals(await runsOwn(own, "deno", ["run", "main.ts"], { cwd: "/src/bridge" }), true);
  assertEquals(await runsOwn(own, "sh", ["-c", `deno run -P "${own}"`]), true);
  assertEquals(await runsOwn(own, "deno", ["run", "/l/m.ts"], { link: "/l/m.ts" }), true);
  assertEquals(await runsOwn(own, "deno", ["run", "main.ts"], { cwd: "/src/other" }), false);
  assertEquals(await runsOwn(own, "deno", ["run", "/src/weather/main.ts"]), false);
});

Deno.test("runsUs() knows our executable by its real path", async () => {
  assertEquals(await runsOwn("/opt/mcp-bridge", "/opt/mcp-bridge"), true);
  assertEquals(await runsOwn("/My Tools/bridge", "/My Tools/bridge"), true);
  assertEquals(await runsOwn("/opt/mcp-bridge", "/usr/bin/x", [], { link: "/usr/bin/x" }), true);
  const own = "C:\\Tools\\mcp-bridge.exe";
  assertEquals(await runsOwn(own, own, [], { os: "windows" }), true);
  assertEquals(await runsOwn("/opt/mcp-bridge", "mcp-bridge"), false);
});

Deno.test("runsUs() asks the disk about paths only", async () => {
  const files = new MemoryFiles();
  const args = ["-y", "--x=1", "https://a/b.ts", "word", "npm:a/b", "a\0/b", "/real", "x.ts"];
  await runsUs({ kind: "stdio", command: "npx", args, env: {} }, {
    os: "linux",
    cwd: "/w",
    files,
    ownFiles: ["/own"],
  });
  assertEquals(new Set(files.realPaths), new Set(["/real", "/w/x.ts"]));
});

Deno.test("runsUs() has nothing to say of a remote server", async () => {
  const files = new MemoryFiles({ "/own": "" });
  const remote = { kind: "auto" as const, url: "http://x/own", headers: {} };
  const options = { os: "linux" as const, cwd: "/", files, ownFiles: ["/own"] };
  assertEquals(await runsUs(remote, options), false);
});

/** Whether a command runs us, where another checkout is at `/else/bridge` and another project at `/other`. */
async function runsCheckout(command: string, args: string[], cwd?: string): Promise<boolean> {
  const files = new MemoryFiles({
    "/else/bridge/main.ts": "",
    "/else/bridge/deno.json": { name: "@mcp-bridge/mcp-bridge", version: "0.0.9" },
    "/else/bridge/examples/main.ts": "",
    "/else/bridge/notes.db": "",
    "/other/mcp-bridge/main.ts": "",
    "/other/mcp-bridge/deno.json": { name: "@other/mcp-bridge" },
    "/broken/main.ts": "",
    "/broken/deno.json": "{",
    "/bare/main.ts": "",
  });
  files.makeFolder("/else/bridge");
  const transport = { kind: "stdio" as const, command, args, env: {}, ...(cwd && { cwd }) };
  return await runsUs(transport, { os: "linux", cwd: "/w", files, ownFiles: ["/own/main.ts"] });
}

const CHECKOUTS: ReadonlyArray<[command: string, args: string[], cwd?: string]> = [
  ["deno", ["run", "-P", "/else/bridge/main.ts"]],
  ["deno", ["run", "--config", "/else/bridge/deno.json", "-P", "/else/bridge/main.ts", "--engine"]],
  ["npx", ["-y", "deno@2.9.6", "run", "-P", "/else/bridge/main.ts"]],
  ["deno", ["run", "-P", "main.ts"], "/else/bridge"],
  ["deno", ["run", "-P", "./main.ts"], "/else/bridge"],
  ["deno", ["run", "-P", "file:///else/bridge/main.ts"]],
  ["sh", ["-c", "cd /else/bridge && exec deno run -P main.ts"]],
  ["deno", ["task", "--cwd", "/else/bridge", "start"]],
  ["deno", ["task", "--cwd=/else/bridge", "start"]],
  ["deno", ["task", "--config", "/else/bridge/deno.json", "start"]],
  ["deno", ["task", "start"], "/else/bridge"],
  ["docker", ["run", "-i", "denoland/deno", "run", "-P", "/app/mcp-bridge/main.ts"]],
];

for (const [command, args, cwd] of CHECKOUTS) {
  Deno.test(`runsUs() knows another checkout in ${command} ${args.join(" ")}`, async () => {
    assertEquals(await runsCheckout(command, args, cwd), true);
  });
}

const NO_CHECKOUTS: ReadonlyArray<[command: string, args: string[], cwd?: string]> = [
  ["deno", ["run", "-P", "/other/mcp-bridge/main.ts"]],
  ["deno", ["run", "-P", "main.ts"], "/other/mcp-bridge"],
  ["deno", ["run", "-P", "/broken/main.ts"]],
  ["deno", ["run", "-P", "/bare/main.ts"]],
  ["deno", ["run", "-P", "/else/bridge/examples/main.ts"]],
  ["deno", ["run", "-P", "main.ts", "/else/bridge"], "/bare"],
  ["npx", ["-y", "server-filesystem", "/else/bridge"]],
  ["sqlite", ["/else/bridge/notes.db"]],
  ["npx", ["-y", "mcp-bridge"]],
  ["deno", ["run", "https://example.org/mcp-bridge/main.ts"]],
  ["mcp-bridge", []],
];

for (const [command, args, cwd] of NO_CHECKOUTS) {
  Deno.test(`runsUs() takes ${command} ${args.join(" ")} for another`, async () => {
    assertEquals(await runsCheckout(command, args, cwd), false);
  });
}

Deno.test("runsUs() knows this very checkout by its deno.json", async () => {
  const main = new URL("../../../main.ts", import.meta.url).pathname;
  const transport = { kind: "stdio" as const, command: "deno", args: ["run", "-P", main], env: {} };
  const options = { os: Deno.build.os, cwd: "/", files: machineFiles, ownFiles: [] };
  assertEquals(await runsUs(transport, options), true);
});

Deno.test("ownFiles() is this checkout's main.ts", async () => {
  const [file] = ownFiles();
  assertEquals(file, await Deno.realPath(new URL("../../../main.ts", import.meta.url)));
});

Deno.test("fileUrlPath() writes the path in the way of the system", () => {
  assertEquals(fileUrlPath("linux", new URL("file:///a%20b/c.ts")), "/a b/c.ts");
  assertEquals(fileUrlPath("windows", new URL("file:///C:/a%20b/c.ts")), "C:\\a b\\c.ts");
  assertEquals(fileUrlPath("linux", new URL("file:///%E0%A4%A")), undefined);
});
