/** What hostile JavaScript may try on files of the host: name → the act and the words that refuse it. */

const READ = /Requires read access to/;
const WRITE = /Requires write access to/;

/** Runs in the worker; `world` is what `world.ts` has laid out. */
export const files = {
  "read a file": [({ secret }) => Deno.readTextFileSync(secret), READ],
  "read a file without waiting": [({ secret }) => Deno.readTextFile(secret), READ],
  "open a file": [({ secret }) => Deno.openSync(secret).close(), READ],
  "see the size of a file": [({ secret }) => Deno.statSync(secret).size, READ],
  "list a folder": [({ folder }) => [...Deno.readDirSync(folder)], READ],
  "watch a folder": [({ folder }) => Deno.watchFs(folder).close(), READ],
  "resolve a path": [({ secret }) => Deno.realPathSync(secret), READ],
  "write a file": [({ folder }) => Deno.writeTextFileSync(`${folder}/new`, "x"), WRITE],
  "make a folder": [({ folder }) => Deno.mkdirSync(`${folder}/made`), WRITE],
  "make a temporary file": [({ folder }) => Deno.makeTempFileSync({ dir: folder }), WRITE],
  "remove a file": [({ folder }) => Deno.removeSync(`${folder}/surplus`), WRITE],
  "change the mode of a file": [({ secret }) => Deno.chmodSync(secret, 0o600), WRITE],
  "make a link": [
    ({ secret, folder }) => Deno.symlinkSync(secret, `${folder}/link`),
    /requires unscoped --allow-read and --allow-write/,
  ],
  "read the program itself": [() => Deno.readTextFileSync(new URL(import.meta.url)), READ],
  "read the environment in /proc": [() => Deno.readFileSync("/proc/self/environ"), READ],
  "read the memory map in /proc": [() => Deno.readFileSync("/proc/self/maps"), READ],
  "open a stream of the process by its path": [() => Deno.openSync("/dev/fd/0").close(), READ],

  "import a file": [({ module }) => import(`file://${module}`), READ],
  "import a file as text": [
    ({ secret }) => import(`file://${secret}`, { with: { type: "text" } }),
    READ,
  ],
  "import a file as bytes": [
    ({ secret }) => import(`file://${secret}`, { with: { type: "bytes" } }),
    READ,
  ],
  "import a file as JSON": [
    ({ folder }) => import(`file://${folder}/data.json`, { with: { type: "json" } }),
    READ,
  ],
  "import a file as WebAssembly": [({ folder }) => import(`file://${folder}/empty.wasm`), READ],
  "import a file from a data: module": [
    ({ module }) => import(`data:text/javascript,import ${JSON.stringify(`file://${module}`)}`),
    READ,
  ],
  "fetch a file": [({ secret }) => fetch(`file://${secret}`), READ],

  "read a file by node:fs": [
    async ({ secret }) => (await import("node:fs")).readFileSync(secret),
    READ,
  ],
  "read a file by node:fs/promises": [
    async ({ secret }) => await (await import("node:fs/promises")).readFile(secret),
    READ,
  ],
  "read a file by a stream of node:fs": [
    async ({ secret }) =>
      await Array.fromAsync((await import("node:fs")).createReadStream(secret), String),
    READ,
  ],
  "copy a file by node:fs": [
    async ({ secret, folder }) => (await import("node:fs")).cpSync(secret, `${folder}/copy`),
    READ,
  ],
  "write a file by node:fs": [
    async ({ folder }) => (await import("node:fs")).writeFileSync(`${folder}/by-node`, "x"),
    WRITE,
  ],
  "ask node:fs whether a file is there": [
    async ({ secret }) => (await import("node:fs")).existsSync(secret),
    READ,
  ],
  "require a file": [
    async ({ folder }) =>
      (await import("node:module")).createRequire("file:///")(`${folder}/module.cjs`),
    READ,
  ],
  "read a file by a built-in module of the process": [
    async ({ secret }) =>
      (await import("node:process")).default.getBuiltinModule("fs").readFileSync(secret),
    READ,
  ],
  "open a database": [
    async ({ folder }) => new (await import("node:sqlite")).DatabaseSync(`${folder}/a.db`).close(),
    READ,
  ],
  "attach a database to one in memory": [
    async ({ folder }) =>
      new (await import("node:sqlite")).DatabaseSync(":memory:")
        .exec(`attach '${folder}/b.db' as b; create table b.t(a)`),
    /too many attached databases - max 0/,
  ],
  "write a database in memory to a file": [
    async ({ folder }) =>
      new (await import("node:sqlite")).DatabaseSync(":memory:")
        .exec(`create table t(a); vacuum into '${folder}/c.db'`),
    /too many attached databases - max 0/,
  ],
  "give WebAssembly a folder": [
    async ({ folder }) =>
      new (await import("node:wasi")).WASI({ version: "preview1", preopens: { "/": folder } }),
    /failed to open preopen/,
  ],
  "store a response in the Cache API": [
    async () => await (await caches.open("x")).put("http://a/b", new Response("stored")),
    /disk I\/O error|File too large/,
  ],
  // The last of all: whatever is imported after it is refused for the same reason.
  "have an npm package written to the lock file": [
    // In two pieces, so that whoever reads this file for its imports does not find it.
    () => import("npm:" + "minisearch@7"),
    // The second where the cache lacks what it takes to resolve anything anew.
    /The lockfile is out of date|npm package not found in cache/,
  ],
};
