/** Configuration files as nobody should write them, as arbitraries of fast-check. */
import fc from "fast-check";
import { stringify as toToml } from "smol-toml";
import { stringify as toYaml } from "yaml";

/** A format, by the ending of its files. */
export type Format = "json" | "toml" | "yaml";

/** The content of a file, and the names of all servers in it where that is known. */
export interface ConfigText {
  bytes: Uint8Array;
  servers?: readonly string[];
}

/** The member that holds the servers, as each client calls it. */
export const PLACES: Readonly<Record<Format, string>> = {
  json: "mcpServers",
  toml: "mcp_servers",
  yaml: "extensions",
};

const HOSTILE_KEYS = [
  "__proto__",
  "constructor",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "prototype",
  "__defineGetter__",
  "then",
  "toJSON",
  "0",
  "-1",
];

const FIELDS = ["command", "args", "env", "url", "headers", "type", "cwd", "timeout", "disabled"];

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("npx", "https://x.example/mcp", "${A}", "${A:-b}", "~", "stdio", "builtin", ""),
);

const value: fc.Arbitrary<unknown> = fc.oneof(
  { depthSize: "small" },
  text,
  fc.constantFrom(true, false, 0, 1, -1, 1.5, 1e15),
  fc.array(text, { maxLength: 4 }),
  fc.dictionary(fc.oneof(text, fc.constantFrom(...HOSTILE_KEYS)), text, { maxKeys: 4 }),
);

/** Mostly one that could be used, some with wrong types. */
const entry = fc.oneof(
  { weight: 2, arbitrary: fc.record({ command: text, args: fc.array(text, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.constant({ url: "https://x.example/mcp" }) },
  {
    weight: 3,
    arbitrary: fc.dictionary(fc.constantFrom(...FIELDS, ...HOSTILE_KEYS), value, { maxKeys: 6 }),
  },
  { weight: 1, arbitrary: value },
);

const name = fc.oneof(fc.string({ minLength: 1, maxLength: 10 }), fc.constantFrom(...HOSTILE_KEYS));

const servers = fc.dictionary(name, entry, { maxKeys: 5 });

/** A file that its parser takes, whatever is in it. */
function sound(format: Format): fc.Arbitrary<ConfigText> {
  const write = { json: JSON.stringify, toml: toToml, yaml: (data: unknown) => toYaml(data) };
  return fc.tuple(servers, fc.constantFrom("", "\uFEFF"), fc.boolean()).map(
    ([entries, mark, isCrlf]) => {
      // `Object.fromEntries` keeps "__proto__" a name like others.
      const data = Object.fromEntries([[PLACES[format], entries]]);
      const written = format === "json" ? JSON.stringify(data, null, 1) : write[format](data);
      const body = isCrlf ? written.replaceAll("\n", "\r\n") : written;
      return { bytes: encode(mark + body), servers: Object.keys(entries) };
    },
  );
}

/** A sound file with damage. */
function damaged(format: Format): fc.Arbitrary<ConfigText> {
  const cut = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat(20),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.constantFrom(...'{}[]",:=#&*|\n\t\\$'.split("")).map(encode),
    ),
  });
  return fc.tuple(sound(format), fc.array(cut, { minLength: 1, maxLength: 4 })).map(
    ([{ bytes }, cuts]) => ({
      bytes: cuts.reduce((left, { at, remove, insert }) => {
        const start = Math.floor(at * left.length);
        return concat(left.subarray(0, start), insert, left.subarray(start + remove));
      }, bytes),
    }),
  );
}

const KIB = 1024;

/** Texts that cost a parser much more than they look; but for the last of JSON none is too long to be read. */
export const BOMBS: Readonly<Record<Format, readonly string[]>> = {
  json: [
    "[".repeat(60 * KIB),
    `{"mcpServers":${'{"a":'.repeat(10 * KIB)}1${"}".repeat(10 * KIB)}}`,
    `{"mcpServers":{"a":{"command":${"[".repeat(10_000)}${"]".repeat(10_000)}}}}`,
    `{"mcpServers":{${'"a":{},'.repeat(8 * KIB)}"a":{}}}`,
    `{"mcpServers":{${count(4_000, (at) => `"s${at}":1`).join()}}}`,
    `{"mcpServers":{"a":{"env":{${count(4_000, (at) => `"k${at}":"v"`).join()}}}}}`,
    `{"mcpServers":{},"x":[${"{},".repeat(20 * KIB)}{}]}`,
    `// ${"x".repeat(30 * KIB)}\n{"mcpServers":{},"x":[${"[],".repeat(10 * KIB)}]}`,
    `{"mcpServers":{},"x":"${"\\u0041".repeat(10 * KIB)}"}`,
    `{"mcpServers":{},"x":${"9".repeat(60 * KIB)}}`,
    " ".repeat(2 * KIB * KIB),
  ],
  toml: [
    "[[a]]\n".repeat(20 * KIB),
    `${"a.".repeat(60 * KIB)}b = 1\n`,
    `x = [${"[],".repeat(40 * KIB)}]\n`,
    `x = ${"[".repeat(50 * KIB)}\n`,
    count(10_000, (at) => `[mcp_servers.s${at}]\n`).join(""),
    count(15_000, (at) => `k${at} = 1\n`).join(""),
    "[__proto__]\ncommand = 'x'\n[constructor.prototype]\nx = 1\n",
    "[mcp_servers]\n[mcp_servers]\n",
  ],
  yaml: [
    `${count(12, (at) => `a${at}: &a${at} [${aliases(at)}]`).join("\n")}\nextensions: *a11\n`,
    `a: &a [x]\nextensions: [${"*a,".repeat(8 * KIB)}*a]\n`,
    "extensions: &e\n  a: *e\n",
    `extensions:\n${"  - a\n".repeat(5 * KIB)}`,
    "- ".repeat(15 * KIB),
    "? ".repeat(15 * KIB),
    `x: ${"[".repeat(30 * KIB)}`,
    `x: ${"{a: ".repeat(7 * KIB)}`,
    `x: [${"&a a, ".repeat(5 * KIB)}b]\n`,
    `x: ${"!!".repeat(20 * KIB)}\n`,
    "extensions: !!js/function 'function(){}'\n<<: {a: 1}\n",
    "--- 1\n--- 2\n",
    "extensions:\n  ? {a: 1}\n  : {cmd: x}\n  ? [1]\n  : {cmd: x}\n  ~: {cmd: x}\n",
  ],
};

/** Any file of a format. */
export function configText(format: Format): fc.Arbitrary<ConfigText> {
  return fc.oneof(
    { weight: 10, arbitrary: sound(format) },
    { weight: 10, arbitrary: damaged(format) },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ bytes })) },
  );
}

function aliases(at: number): string {
  return at === 0 ? "x,x,x,x,x,x,x,x,x" : `${`*a${at - 1},`.repeat(8)}*a${at - 1}`;
}

function count<T>(length: number, make: (at: number) => T): T[] {
  return Array.from({ length }, (_, at) => make(at));
}

function encode(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
