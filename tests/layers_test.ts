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
  session: ["questions", "engine", "rpc", "downstream", "wire", "store", "shared"],
  engine: ["languages", "wire", "shared"],
  rpc: ["questions", "downstream", "languages", "discovery", "store", "wire", "shared"],
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
  {
    // A clock that can be set: for times that are shown or kept. A duration comes from `performance.now()`.
    call: /\bDate\.now\b|\bnew Date\(\)/,
    files: [
      "src/discovery/config_cache.ts",
      "src/downstream/catalog/catalog_cache.ts",
      "src/downstream/connection/connect.ts",
      "src/engine/wasm/snapshot_cache.ts",
      "src/store/records/record_store.ts",
      "src/store/runs/run_store.ts",
      "src/store/runs/session_folders.ts",
    ],
  },
  { call: /\bconsole\./, files: ["src/shared/log.ts"] },
];

/** Package → the folders that may name it, for its types as well. One that is not here is imported nowhere. */
const PACKAGE_IN: Readonly<Record<string, readonly string[]>> = {
  "@modelcontextprotocol/client": ["src/downstream/"],
  "@modelcontextprotocol/server": ["src/server/"],
  "@toon-format/toon": ["src/server/answer/"],
  "jsonc-parser": ["src/discovery/formats/"],
  "minisearch": ["src/downstream/docs/"],
  "node:worker_threads": ["src/engine/wasm/child/"],
  "pyodide": ["src/engine/wasm/child/"],
  "smol-toml": ["src/discovery/formats/"],
  "yaml": ["src/discovery/formats/"],
  "zod": [
    "src/config/",
    "src/discovery/entry/",
    "src/downstream/",
    "src/rpc/",
    "src/store/records/",
    "src/wire/",
  ],
};

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

/**
 * Packages that a file imports, whichever way: values, types, for its effects, on demand, or as a type in
 * place. `pyodide/pyodide.mjs` is of `pyodide`.
 */
function packagesOf(text: string): string[] {
  const imports = /\b(?:from|import)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g;
  return [...withoutComments(text).matchAll(imports)].map(([, specifier]) => specifier!)
    // `python/` is a folder of ours; see deno.json.
    .filter((specifier) => !/^(?:\.{1,2}|python)\//.test(specifier))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
}

/** Packages that a file imports and may not. */
function strayPackages(path: string, text: string): string[] {
  return packagesOf(text).filter((name) => {
    // The standard library is for everybody.
    if (name.startsWith("@std/")) return false;
    return !(PACKAGE_IN[name] ?? []).some((folder) => path.startsWith(folder));
  }).map((name) => `${path} imports ${name}`);
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
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
    const code = withoutComments(text);
    for (const { call, files } of ONLY_IN) {
      if (call.test(code) && !files.some((file) => path.startsWith(file))) {
        wrong.push(`${path} has ${call.source}`);
      }
    }
  }
  assertEquals(wrong, []);
});

Deno.test("packages are imported, for their types too, only where they belong", () => {
  assertEquals([...sources].flatMap(([path, text]) => strayPackages(path, text)), []);
  for (const [name, folders] of Object.entries(PACKAGE_IN)) {
    for (const folder of folders) {
      const uses = [...sources].some(([path, text]) =>
        path.startsWith(folder) && packagesOf(text).includes(name)
      );
      assert(uses, `${name} may be imported in ${folder}, but is not`);
    }
  }
});

Deno.test("no way of importing a package escapes the table", () => {
  const client = "@modelcontextprotocol/client";
  const ways = [
    `import { Client } from "${client}";`,
    `import type { ElicitResult } from "${client}";`,
    `import {\n  type ElicitResult,\n  type Tool,\n} from "${client}";`,
    `import type * as sdk from '${client}';`,
    `export type { ElicitResult } from "${client}";`,
    `import "${client}";`,
    `type Answer = import("${client}").ElicitResult;`,
    `type Sdk = typeof import("${client}");`,
    `const { Client } = await import(\n  "${client}"\n);`,
    `import type { Tool } from "${client}/stdio";`,
  ];
  for (const way of ways) {
    const stray = [`src/questions/question.ts imports ${client}`];
    assertEquals(strayPackages("src/questions/question.ts", way), stray, way);
    assertEquals(strayPackages("src/downstream/questions/x.ts", way), [], way);
  }
  const unknown = ["npm:left-pad@1", "jsr:@a/b", "https://example.com/x.ts", "node:fs"];
  for (const specifier of unknown) {
    const text = `import type { X } from "${specifier}";`;
    assertEquals(strayPackages("src/server/x.ts", text).length, 1, specifier);
  }
  assertEquals(strayPackages("src/wire/x.ts", '/** Not from "zod". */\n// from "yaml"'), []);
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
