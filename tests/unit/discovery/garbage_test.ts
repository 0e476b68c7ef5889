/** Whatever stands in the files, discovery gives an answer, and no secret is in its reasons. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { discoverIn, fixture, HOME, names, PROJECT } from "./support.ts";

const PATHS = [
  "/named.yaml",
  `${HOME}/MCPs/a.json`,
  `${HOME}/.claude.json`,
  `${HOME}/.config/opencode/opencode.json`,
  `${HOME}/.gemini/settings.json`,
  `${HOME}/.codex/config.toml`,
  `${HOME}/.config/zed/settings.json`,
  `${HOME}/.config/goose/config.yaml`,
  `${PROJECT}/.mcp.json`,
];

const SETTINGS = { serversConfig: "/named.yaml", trustProject: true };

async function survives(content: unknown): Promise<void> {
  const files = Object.fromEntries(PATHS.map((path) => [path, content]));
  const { servers, skipped } = await discoverIn(files, { settings: SETTINGS });
  for (const { name, transport, source } of servers) {
    assert(name.trim() !== "" && source.line >= 1);
    if (transport.kind === "stdio") assert(transport.command !== "");
    else assert(URL.canParse(transport.url));
  }
  for (const { reason, source } of skipped) assert(reason !== "" && source.line >= 1);
}

Deno.test("discover() survives any bytes", async () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  await fc.assert(fc.asyncProperty(bytes, survives), { numRuns: 200 });
});

Deno.test("discover() survives any text of the formats' own characters", async () => {
  const piece = fc.constantFrom(
    ..."{}[]\",:'=#&*!|>-%@`\n\t \\/~$",
    "mcpServers",
    "extensions:",
    "[mcp_servers.a]",
    "${",
    "command",
    "__proto__",
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  await fc.assert(fc.asyncProperty(text, survives), { numRuns: 300 });
});

const KEYS = [
  "mcpServers",
  "servers",
  "mcp",
  "extensions",
  "projects",
  PROJECT,
  "command",
  "args",
  "env",
  "url",
  "headers",
  "type",
  "timeout",
  "__proto__",
  "constructor",
  "toString",
];

Deno.test("discover() survives any data under the keys it looks for", async () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, 0, -1, 1e300, "", "x", "~", "${A}", "https://x", "stdio"),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...KEYS), tie("tree"), { maxKeys: 5 }),
    ),
  }));
  await fc.assert(fc.asyncProperty(tree.map((data) => JSON.stringify(data)), survives), {
    numRuns: 500,
  });
});

Deno.test("discover() survives every file of a client cut off anywhere", async () => {
  const text = fixture("claude-code.claude.json");
  for (let end = 0; end < text.length; end += 7) await survives(text.slice(0, end));
});

Deno.test("discover() keeps names that JavaScript has a meaning for apart from it", async () => {
  const found = await discoverIn({
    [`${HOME}/.cursor/mcp.json`]:
      '{"mcpServers": {"__proto__": {"command": "x"}, "constructor": {"command": "x"}}}',
  });
  assertEquals(names(found), ["__proto__", "constructor"]);
});

Deno.test("discover() shows no value in a reason", async () => {
  const secret = "s3cr3t";
  const entries: unknown[] = [
    { command: { secret } },
    { command: "x", args: [{ secret }] },
    { command: "x", args: secret },
    { command: "x", env: secret },
    { command: "x", env: { A: [secret] } },
    { command: "x", env: { A: `${secret}\${NOT_SET}` } },
    { command: "x", type: secret },
    { command: "x", timeout: secret },
    { command: "x", disabled: secret },
    { url: secret },
    { url: `ftp://u:${secret}@h/` },
    { url: `https://h:${secret}/` },
    { url: "https://h", headers: { A: `${secret}\nx` } },
    { url: "https://h", headers: { A: "${SECRET}" } },
    { url: "https://h", bearer_token_env_var: "SECRET" },
    secret,
  ];
  const mcpServers = Object.fromEntries(entries.map((entry, index) => [`s${index}`, entry]));
  const found = await discoverIn({ [`${HOME}/.cursor/mcp.json`]: { mcpServers } }, {
    env: { SECRET: `${secret}\nx` },
  });
  assertEquals(found.skipped.length, entries.length);
  for (const { name, reason } of found.skipped) {
    assert(!reason.includes(secret), `${name}: ${reason}`);
  }
});
