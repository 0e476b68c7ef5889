import { assertEquals, assertStrictEquals } from "@std/assert";
import { contentDigest } from "../../../src/discovery/trust_store.ts";
import { DENIED } from "../../../src/config/variable.ts";
import type { Os } from "../../../src/discovery/os_path.ts";
import { MemoryFiles } from "./memory_files.ts";
import { discoverIn, discoveryOver, HOME, names, PROJECT, skips } from "./support.ts";

const server = (command: string) => ({ command });
const servers = (...all: string[]) => ({
  mcpServers: Object.fromEntries(all.map((name) => [name, server(name)])),
});
const UNTRUSTED =
  "It stands in a project file that nobody has allowed; MCP_BRIDGE_TRUST_PROJECT=1 allows it";

Deno.test("discover() reads in order of precedence, the project last", async () => {
  const found = await discoverIn({
    [`${PROJECT}/.mcp.json`]: servers("all", "project"),
    [`${HOME}/.codex/config.toml`]:
      '[mcp_servers.all]\ncommand = "x"\n[mcp_servers.codex]\ncommand = "x"',
    [`${HOME}/.cursor/mcp.json`]: servers("all", "cursor"),
    [`${HOME}/.claude.json`]: servers("all", "claude"),
    [`${HOME}/.config/mcp/servers/x.json`]: servers("all", "config"),
    [`${HOME}/MCPs/b.json`]: servers("all", "b"),
    [`${HOME}/MCPs/a.json`]: servers("all", "a"),
    "/named.json": servers("all", "named"),
  }, { settings: { serversConfig: "/named.json", trustProject: true } });
  assertEquals(names(found), [
    "all",
    "named",
    "a",
    "b",
    "config",
    "claude",
    "cursor",
    "codex",
    "project",
  ]);
  assertEquals(found.skipped.map(({ status, source }) => `${status} ${source.client}`), [
    "shadowed ~/MCPs",
    "shadowed ~/MCPs",
    "shadowed ~/.config/mcp",
    "shadowed Claude Code",
    "shadowed Cursor",
    "shadowed Codex",
    "shadowed project",
  ]);
});

const SYSTEMS: [os: Os, cwd: string, env: Record<string, string>, files: string[]][] = [
  ["linux", "/w", { HOME: "/home/a" }, [
    "/home/a/MCPs/one.json",
    "/home/a/.claude.json",
    "/home/a/.config/Claude/claude_desktop_config.json",
    "/w/mcp-servers/two.json",
  ]],
  ["darwin", "/w", { HOME: "/Users/a" }, [
    "/Users/a/MCPs/one.json",
    "/Users/a/Library/Application Support/Claude Code/claude_code_config.json",
    "/Users/a/Library/Application Support/Claude/claude_desktop_config.json",
    "/w/mcp-servers/two.json",
  ]],
  ["windows", "D:\\w", { USERPROFILE: "C:\\a", LOCALAPPDATA: "C:\\a\\L" }, [
    "C:\\a\\MCPs\\one.json",
    "C:\\a\\.claude.json",
    "C:\\a\\L\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json",
    "D:\\w\\mcp-servers\\two.json",
  ]],
];

for (const [os, cwd, env, files] of SYSTEMS) {
  Deno.test(`discover() finds files where ${os} has them`, async () => {
    const contents = Object.fromEntries(files.map((file, index) => [file, servers(`s${index}`)]));
    const found = await discoverIn(contents, { os, cwd, env, settings: { trustProject: true } });
    assertEquals(found.servers.map((entry) => entry.source.file), files);
    assertEquals(names(found), ["s0", "s1", "s2", "s3"]);
  });
}

Deno.test("discover() ignores other files and hidden ones in a folder of servers", async () => {
  const found = await discoverIn({
    [`${HOME}/MCPs/a.json`]: servers("a"),
    [`${HOME}/MCPs/._a.json`]: "\0binary",
    [`${HOME}/MCPs/notes.txt`]: "x",
    [`${HOME}/MCPs/a.json.bak`]: "x",
    [`${HOME}/MCPs/sub/b.json`]: servers("b"),
  });
  assertEquals([names(found), skips(found)], [["a"], []]);
});

Deno.test("discover() lets one bad entry cost that entry, with its line", async () => {
  const found = await discoverIn({
    [`${HOME}/.cursor/mcp.json`]: `{
  "mcpServers": {
    "good": { "command": "x" },
    "bad": {
      "command": "x",
      "args": "y"
    },
    "unset": { "command": "x", "env": { "KEY": "\${NOT_SET}" } },
    "text": "x",
    "": { "command": "x" },
    "a\\u001b[2J\\u009b": { "command": "x" },
    "off": { "disabled": true, "args": 5 },
    "last": { "url": "https://x.example" }
  }
}`,
  });
  assertEquals(names(found), ["good", "last"]);
  assertEquals(skips(found), [
    'bad invalid 6: Cannot use "args": expected a list of texts',
    'unset invalid 8: Cannot use "env.KEY": the variable "NOT_SET" is not set',
    "text invalid 9: Cannot use the entry: expected an object",
    " invalid 10: Cannot use the name: expected 1 to 200 printable characters",
    "a\ufffd invalid 11: Cannot use the name: expected 1 to 200 printable characters",
    "off disabled 12: Switched off in the file",
  ]);
});

Deno.test("discover() lets one bad file cost that file, with its line", async () => {
  const files = new MemoryFiles({
    [`${HOME}/MCPs/a.json`]: servers("a"),
    [`${HOME}/MCPs/broken.json`]: '{\n"mcpServers": {\n}',
    [`${HOME}/MCPs/denied.json`]: new Deno.errors.PermissionDenied("secret path"),
    [`${HOME}/MCPs/list.json`]: [],
    [`${HOME}/MCPs/odd.json`]: new Error("secret path"),
    [`${HOME}/MCPs/z.json`]: servers("z"),
  });
  files.makeFolder(`${HOME}/MCPs/folder.json`);
  files.write(`${HOME}/MCPs/huge.json`, "{}", { sizeBytes: 50 * 1024 ** 2 });
  const found = await discoveryOver(files).discover();
  assertEquals(names(found), ["a", "z"]);
  assertEquals(skips(found), [
    "- invalid 3: Cannot read the file: not valid JSON: close brace expected",
    "- invalid 1: Cannot read the file: permission denied",
    "- invalid 1: Cannot read the file: it is a folder",
    "- invalid 1: Cannot read the file: it has 50 MiB, the most is 16 MiB",
    "- invalid 1: Cannot read the file: expected an object at the top",
    "- invalid 1: Cannot read the file: Error",
  ]);
  assertEquals(files.reads.some((path) => path.includes("huge")), false);
});

Deno.test("discover() reports a named file that is not there, and no other", async () => {
  const found = await discoverIn({}, { settings: { serversConfig: "none.json" } });
  assertEquals(skips(found), ["- invalid 1: Cannot read the file: there is no such file"]);
  assertEquals(found.skipped[0]!.source, {
    client: "MCP_SERVERS_CONFIG",
    file: `${PROJECT}/none.json`,
    line: 1,
  });
});

Deno.test("discover() reports a folder that cannot be listed", async () => {
  const files = new MemoryFiles({ [`${HOME}/.cursor/mcp.json`]: servers("a") });
  files.list = () => Promise.reject(new Deno.errors.PermissionDenied());
  const found = await discoveryOver(files).discover();
  assertEquals(names(found), ["a"]);
  assertEquals(
    new Set(skips(found)),
    new Set(["- invalid 1: Cannot read the file: permission denied"]),
  );
});

Deno.test("discover() reads the formats of a named file by its name", async () => {
  const cases: [file: string, content: string][] = [
    ["/s.toml", '[mcp_servers.a]\ncommand = "x"'],
    ["/s.yaml", "mcpServers:\n  a:\n    command: x\n"],
    ["/s.yml", "extensions:\n  a:\n    type: stdio\n    cmd: x\n"],
    ["/s", '{"servers": {"a": {"command": "x"}}}'],
    ["/a.json", '{"command": "x"}'],
  ];
  for (const [file, content] of cases) {
    const found = await discoverIn({ [file]: content }, { settings: { serversConfig: file } });
    assertEquals(names(found), ["a"], file);
  }
});

Deno.test("discover() takes the description of the file for an entry without one", async () => {
  const found = await discoverIn({
    "/s.json": {
      description: "of the file",
      mcpServers: { a: { command: "x" }, b: { command: "x", description: "own" } },
    },
  }, { settings: { serversConfig: "/s.json" } });
  assertEquals(found.servers.map((entry) => entry.description), ["of the file", "own"]);
});

Deno.test("discover() does not load ourselves unless told", async () => {
  const files = {
    [`${HOME}/.cursor/mcp.json`]: {
      mcpServers: {
        bridge: { command: "deno", args: ["run", "-P", "jsr:@mcp-bridge/mcp-bridge"] },
        path: { command: "deno", args: ["run", "/src/main.ts"] },
        list: { command: ["uvx", "mcp-server-code-execution-mode"] },
        zed: { command: { path: "uvx", args: ["mcp-server-code-execution-mode"] } },
        unset: { command: "npx", args: ["@mcp-bridge/mcp-bridge"], env: { A: "${NOT_SET}" } },
        "mcp-bridge": { command: "npx", args: ["weather"] },
      },
    },
    "/src/main.ts": "",
  };
  const ownFiles = ["/src/main.ts", "/gone"];
  const found = await discoverIn(files, { ownFiles });
  assertEquals(names(found), ["mcp-bridge"]);
  assertEquals(found.skipped.map(({ name, status }) => `${name} ${status}`), [
    "bridge self",
    "path self",
    "list self",
    "zed self",
    "unset self",
  ]);
  const allowed = await discoverIn(files, { ownFiles, settings: { allowSelfServer: true } });
  assertEquals(names(allowed), ["bridge", "path", "list", "zed", "mcp-bridge"]);
});

Deno.test("discover() of a bridge that a bridge started loads nothing unless told", async () => {
  const files = { [`${HOME}/.cursor/mcp.json`]: servers("a", "b") };
  const env = { MCP_BRIDGE_PARENT: "1" };
  const found = await discoverIn(files, { env });
  const reason = "This mcp-bridge was started by another one, which has the servers";
  assertEquals([names(found), skips(found)], [[], [`a self 1: ${reason}`, `b self 1: ${reason}`]]);
  const allowed = await discoverIn(files, { env, settings: { allowSelfServer: true } });
  assertEquals(names(allowed), ["a", "b"]);
});

Deno.test("discover() starts nothing of a project until the person allows it", async () => {
  const file = `${PROJECT}/.mcp.json`;
  const files = { [file]: servers("team") };
  const refused = await discoverIn(files);
  assertEquals([names(refused), skips(refused)], [[], [`team untrusted 1: ${UNTRUSTED}`]]);
  const allowed = await discoverIn(files, { settings: { trustProject: true } });
  assertEquals(names(allowed), ["team"]);
});

Deno.test("discover() neither expands nor looks up anything of a file that is not allowed", async () => {
  const files = new MemoryFiles({
    [`${PROJECT}/.mcp.json`]: {
      mcpServers: { a: { command: "\\\\evil\\share\\x.exe", args: ["${HOME}", "/etc/x.ts"] } },
    },
    "/own": "",
  });
  const asked: string[] = [];
  const readVariable = (name: string) => {
    asked.push(name);
    return name === "HOME" ? "/none" : undefined;
  };
  const discovery = discoveryOver(files, { readVariable, ownFiles: ["/own"] });
  asked.length = 0;
  assertEquals((await discovery.discover()).skipped[0]!.status, "untrusted");
  assertEquals([asked, files.realPaths], [[], ["/own"]]);
});

Deno.test("discover() goes by the stored digest of the very file", async () => {
  const file = `${PROJECT}/.mcp.json`;
  const content = JSON.stringify(servers("team"));
  const digest = await contentDigest(new TextEncoder().encode(content));
  const files = new MemoryFiles({ [file]: content, [`${PROJECT}/.mcp/copy.json`]: content });
  const discovery = discoveryOver(files, { settings: { stateDir: "/state" } });
  const statuses = async () => {
    const { servers, skipped } = await discovery.discover();
    return [...servers.map(() => "usable"), ...skipped.map((entry) => entry.status)];
  };
  assertEquals(await statuses(), ["untrusted", "untrusted"]);
  files.write("/state/trusted_projects.json", { files: { [file]: digest } });
  assertEquals(await statuses(), ["usable", "shadowed"]);
  files.write(file, servers("team", "more"));
  assertEquals(await statuses(), ["untrusted", "untrusted", "untrusted"]);
  files.write(file, content);
  assertEquals(await statuses(), ["usable", "shadowed"]);
  files.write("/state/trusted_projects.json", "{");
  assertEquals(await statuses(), ["untrusted", "untrusted"]);
});

Deno.test("discover() takes the user's own file for that when the project is the home folder", async () => {
  const found = await discoverIn({ [`${HOME}/.cursor/mcp.json`]: servers("a") }, { cwd: HOME });
  assertEquals([names(found), skips(found)], [["a"], []]);
});

Deno.test("discover() takes a project file that the person named for trusted", async () => {
  const file = `${PROJECT}/.mcp.json`;
  const found = await discoverIn({ [file]: servers("a") }, { settings: { serversConfig: file } });
  assertEquals([names(found), skips(found)], [["a"], []]);
});

Deno.test("discover() sees files and entries that are added, changed and removed", async () => {
  const files = new MemoryFiles({ [`${HOME}/MCPs/a.json`]: servers("a") });
  const discovery = discoveryOver(files);
  const now = async () => names(await discovery.discover());
  assertEquals(await now(), ["a"]);
  files.write(`${HOME}/MCPs/b.json`, servers("b"));
  files.write(`${HOME}/.cursor/mcp.json`, servers("c"));
  assertEquals(await now(), ["a", "b", "c"]);
  files.write(`${HOME}/MCPs/a.json`, servers("A", "d"));
  assertEquals(await now(), ["A", "d", "b", "c"]);
  files.remove(`${HOME}/MCPs/b.json`);
  files.write(`${HOME}/.cursor/mcp.json`, "{");
  assertEquals(await now(), ["A", "d"]);
  files.remove(`${HOME}/MCPs/a.json`);
  files.write(`${HOME}/.cursor/mcp.json`, servers("c"));
  assertEquals(await now(), ["c"]);
});

Deno.test("discover() reads only what changed, and gives the same object if nothing did", async () => {
  const [a, b] = [`${HOME}/MCPs/a.json`, `${HOME}/MCPs/b.json`];
  const files = new MemoryFiles({ [a]: servers("a"), [b]: servers("b") });
  const discovery = discoveryOver(files);
  const first = await discovery.discover();
  assertEquals(files.reads.splice(0), [a, b]);
  assertStrictEquals(await discovery.discover(), first);
  assertEquals(files.reads.splice(0), []);
  files.write(b, servers("b"));
  assertStrictEquals(await discovery.discover(), first);
  assertEquals(files.reads.splice(0), [b]);
});

Deno.test("discover() can be asked many times at once", async () => {
  const files = new MemoryFiles({ [`${HOME}/MCPs/a.json`]: servers("a") });
  const discovery = discoveryOver(files);
  const all = await Promise.all(Array.from({ length: 20 }, () => discovery.discover()));
  assertEquals(all.map(names), Array(20).fill(["a"]));
});

Deno.test("discover() names a variable that may not be read on that server alone", async () => {
  const found = await discoverIn({
    [`${HOME}/.cursor/mcp.json`]: {
      mcpServers: { a: { command: "x", env: { K: "${SECRET}" } }, b: { command: "x" } },
    },
  }, { readVariable: (name) => name === "HOME" ? HOME : DENIED });
  assertEquals(names(found), ["b"]);
  assertEquals(skips(found), [
    'a invalid 1: Cannot use "env.K": the variable "SECRET" is not readable with the granted permissions',
  ]);
});

Deno.test("discover() reads less of a project's file than of the person's own", async () => {
  const padded = `{"mcpServers": {"a": {"command": "x"}}, "x": "${"y".repeat(70 * 1024)}"}`;
  const found = await discoverIn({
    [`${HOME}/.cursor/mcp.json`]: padded,
    [`${PROJECT}/.mcp.json`]: padded,
  }, { settings: { trustProject: true } });
  assertEquals(names(found), ["a"]);
  const reason = "Cannot read the file: it has 71 KiB, the most is 64 KiB";
  assertEquals(skips(found), [`- invalid 1: ${reason}`]);
});

Deno.test("discover() takes the first 1,000 servers of a file and says so", async () => {
  const entries = Array.from({ length: 1003 }, (_, at) => [`s${at}`, { command: "x" }]);
  const mcpServers = Object.fromEntries(entries);
  const found = await discoverIn({ [`${HOME}/.cursor/mcp.json`]: { mcpServers } });
  assertEquals(found.servers.length, 1000);
  assertEquals(skips(found), ["- invalid 1: Cannot use 3 of its servers: the most is 1000"]);
});
