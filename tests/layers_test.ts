/**
 * Who may import whom, as one table, and which file alone may make a privileged call. A change that needs
 * a new arrow edits the table in the same commit and says why.
 */
import { assert, assertEquals } from "@std/assert";

/** Room → the rooms it may import besides itself. `app` and `main` are files, not folders. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  main: ["cli", "engine"],
  cli: ["app", "server", "store", "config", "shared"],
  app: [
    "server",
    "session",
    "engine",
    "rpc",
    "wire",
    "store",
    "downstream",
    "discovery",
    "config",
    "shared",
  ],
  server: ["questions", "session", "discovery", "config", "shared"],
  session: ["questions", "engine", "rpc", "wire", "store", "shared"],
  engine: ["languages", "wire", "shared"],
  rpc: ["questions", "downstream", "discovery", "store", "wire", "shared"],
  downstream: ["questions", "languages", "discovery", "store", "shared"],
  discovery: ["config", "shared"],
  questions: ["shared"],
  languages: ["shared"],
  store: ["shared"],
  config: ["shared"],
  wire: ["shared"],
  shared: [],
};

/** Privileged call → the only files that make it. */
const ONLY_IN: ReadonlyArray<{ call: RegExp; files: readonly string[] }> = [
  {
    call: /\bDeno\.Command\b/,
    files: [
      // Only what outlives us can end the servers of a bridge that was killed.
      "src/downstream/transport/orphan_watch.ts",
      "src/downstream/transport/server_process.ts",
      "src/engine/container/container_cli.ts",
      "src/engine/wasm/child_process.ts",
    ],
  },
  { call: /\bDeno\.env\b/, files: ["src/config/load.ts"] },
  { call: /\bDeno\.exit\b/, files: ["main.ts", "src/engine/wasm/child/main.ts"] },
  { call: /\bDeno\.serve\b/, files: [] },
  { call: /\bconsole\./, files: ["src/shared/log.ts"] },
  { call: /@modelcontextprotocol\/server/, files: ["src/server/"] },
  { call: /@modelcontextprotocol\/client/, files: ["src/downstream/", "src/questions/"] },
];

/** Longest file before a reader is asked to look for the seam. */
const MAX_LINES = 250;

const root = new URL("..", import.meta.url);

async function* files(folder: string, extension: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(folder, root))) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) yield* files(`${path}/`, extension);
    else if (entry.name.endsWith(extension)) yield path;
  }
}

const sources = new Map<string, string>();
for (const path of ["main.ts", ...await Array.fromAsync(files("src/", ".ts"))]) {
  sources.set(path, await Deno.readTextFile(new URL(path, root)));
}

/** The room a file is in: `src/session/run.ts` → `session`. */
function roomOf(path: string): string {
  const [first, second] = path.split("/");
  return (first === "src" ? second! : first!).replace(/\.ts$/, "");
}

/** Files of ours that a file imports. */
function importsOf(path: string, text: string): string[] {
  const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g);
  return [...specifiers].map(([, specifier]) => {
    const url = new URL(specifier!, new URL(path, root));
    return url.pathname.slice(root.pathname.length);
  }).filter((target) => target.endsWith(".ts"));
}

Deno.test("every room is in the table", () => {
  const rooms = new Set([...sources.keys()].map(roomOf));
  assertEquals([...rooms].filter((room) => !(room in MAY_IMPORT)), []);
});

Deno.test("imports go one way", () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const [path, text] of sources) {
    for (const target of importsOf(path, text)) {
      seen++;
      const [from, to] = [roomOf(path), roomOf(target)];
      if (from !== to && !MAY_IMPORT[from]!.includes(to)) wrong.push(`${path} imports ${target}`);
    }
  }
  assertEquals(wrong, []);
  assert(seen > 50, `Only ${seen} imports were found: the pattern no longer fits`);
});

Deno.test("the two engines do not know each other, and only app.ts names one", () => {
  const wrong: string[] = [];
  for (const [path, text] of sources) {
    for (const target of importsOf(path, text)) {
      const engine = /^src\/engine\/(\w+)\//.exec(target)?.[1];
      const own = /^src\/engine\/(\w+)\//.exec(path)?.[1];
      if (engine === undefined || engine === own || path === "src/app.ts") continue;
      // The compiled program is its own child.
      if (path === "main.ts" && engine === "wasm") continue;
      wrong.push(`${path} imports ${target}`);
    }
  }
  assertEquals(wrong, []);
});

Deno.test("privileged calls are made in their one file", () => {
  const wrong: string[] = [];
  for (const [path, text] of sources) {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    for (const { call, files } of ONLY_IN) {
      if (call.test(code) && !files.some((file) => path.startsWith(file))) {
        wrong.push(`${path} has ${call.source}`);
      }
    }
  }
  assertEquals(wrong, []);
});

Deno.test("no file is too long to be read at once", async () => {
  const long: string[] = [];
  const python = await Array.fromAsync(files("runtime/", ".py"));
  for (const path of [...sources.keys(), ...python]) {
    const lines = (await Deno.readTextFile(new URL(path, root))).split("\n").length;
    if (lines > MAX_LINES) long.push(`${path}: ${lines} lines`);
  }
  assertEquals(long, []);
});
