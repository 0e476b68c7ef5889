import { assert, assertEquals, assertThrows } from "@std/assert";
import { parseConfig } from "../../../../src/discovery/formats/config_document.ts";
import { ConfigProblem } from "../../../../src/discovery/config_problem.ts";

const parse = (file: string, text: string) => parseConfig(file, new TextEncoder().encode(text));

function problemOf(file: string, content: string | Uint8Array): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { message, line } = assertThrows(() => parseConfig(file, bytes), ConfigProblem);
  return `${line ?? "-"}: ${message}`;
}

Deno.test("parseConfig() reads JSON with comments and trailing commas", () => {
  const text = '// top\n{\n  /* in */ "a": {\n    "b": [1, 2,],\n  },\n}\n';
  const document = parse("x.json", text);
  assertEquals(JSON.stringify(document.value), '{"a":{"b":[1,2]}}');
  assertEquals([["a"], ["a", "b"], ["a", "none"], ["none"], []].map(document.lineOf), [
    3,
    4,
    3,
    1,
    1,
  ]);
});

Deno.test("parseConfig() knows the lines of TOML tables, dotted keys and quoted names", () => {
  const document = parse(
    "x.toml",
    'top = 1\r\n[s."a.b"]\r\nurl = "u"\r\n\r\n[s.c.env] # comment ]\r\nK = "v"\r\n[s]\r\nd.command = "x"\r\n',
  );
  const paths = [["s"], ["s", "a.b"], ["s", "a.b", "url"], ["s", "c"], ["s", "c", "env", "K"], [
    "s",
    "d",
    "command",
  ], ["none"]];
  assertEquals(paths.map(document.lineOf), [2, 2, 3, 5, 6, 8, 1]);
});

Deno.test("parseConfig() knows the lines of YAML, also behind an alias", () => {
  const document = parse("x.yaml", "a: &x\n  b: 1\n\nc:\n  d: *x\n");
  assertEquals(document.value as unknown, { a: { b: 1 }, c: { d: { b: 1 } } });
  assertEquals([["a"], ["a", "b"], ["c", "d"], ["c", "d", "b"]].map(document.lineOf), [1, 2, 5, 2]);
});

Deno.test("parseConfig() lets the last of two equal keys win", () => {
  const twice = ['{"a": 1,\n"a": 2}', "a: 1\na: 2\n"];
  for (const [index, text] of twice.entries()) {
    const document = parse(index === 0 ? "x.json" : "x.yaml", text);
    assertEquals([JSON.stringify(document.value), document.lineOf(["a"])], ['{"a":2}', 2]);
  }
});

Deno.test("parseConfig() drops a byte order mark", () => {
  for (const [file, text] of [["a.json", '{"a":1}'], ["a.toml", "a = 1"], ["a.yml", "a: 1"]]) {
    assertEquals(JSON.stringify(parse(file!, `\uFEFF${text}`).value), '{"a":1}');
  }
});

Deno.test("parseConfig() takes an empty file, or one of comments, as nothing", () => {
  for (
    const [file, text] of [["a.json", ""], ["a.json", " \n"], ["a.json", "// x"], ["a.yaml", "# x"]]
  ) {
    assertEquals(parse(file!, text!).value, undefined);
  }
  assertEquals(JSON.stringify(parse("a.toml", "# x").value), "{}");
});

Deno.test("parseConfig() names line and kind of an error", () => {
  const start = "Cannot read the file: not valid";
  assertEquals(problemOf("a.json", '{\n "a" 1\n}'), `2: ${start} JSON: colon expected`);
  assertEquals(problemOf("a.json", '{\n "a": 1'), `2: ${start} JSON: close brace expected`);
  assertEquals(problemOf("a.toml", "a = 1\nb = x"), `2: ${start} TOML: invalid value`);
  assertEquals(problemOf("a.yaml", "a: 1\nb: [1\nc: 2\n"), `3: ${start} YAML: bad indent`);
});

Deno.test("parseConfig() refuses what is not UTF-8", () => {
  const utf16 = new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]);
  assertEquals(problemOf("a.json", utf16), "-: Cannot read the file: it is not UTF-8 text");
});

Deno.test("parseConfig() survives depth and alias bombs", () => {
  const deep = "[".repeat(1_000_000);
  assertEquals(problemOf("a.json", deep), "-: Cannot read the file: it is nested too deeply");
  problemOf("a.toml", `a = ${deep}`);
  const bomb = `a0: &a0 [x,x,x,x,x,x,x,x,x]\n` +
    Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join(
      "\n",
    );
  assertEquals(problemOf("a.yaml", bomb), "-: Cannot read the file: not valid YAML");
});

Deno.test("parseConfig() shows nothing of the file in an error", () => {
  const secret = "sk-12345";
  const cases: [string, string][] = [
    ["a.json", `{"k": ${secret}}`],
    ["a.json", `{"k": "${secret}`],
    ["a.toml", `k = ${secret}`],
    ["a.toml", `k = "${secret}`],
    ["a.yaml", `k: "${secret}`],
    ["a.yaml", `k: !${secret} [`],
    ["a.yaml", `k: |${secret}\n  x`],
    ["a.yaml", `k: *${secret}`],
  ];
  for (const [file, text] of cases) {
    const problem = problemOf(file, text);
    assert(!problem.includes("12345"), `${text} → ${problem}`);
  }
});

Deno.test("parseConfig() knows the lines of plain JSON, also of the last of two equal keys", () => {
  const document = parse(
    "x.json",
    '{\n "a": {"b": [{"c": "}"}],\n  "d": 1},\n "e":\n  {"\\u0066": 2},\n "a": {}}',
  );
  const paths = [["a"], ["e"], ["e", "f"], ["a", "b"], ["none"], []];
  assertEquals(paths.map(document.lineOf), [6, 4, 5, 6, 1, 1]);
});

Deno.test("parseConfig() reads long JSON that is plain, and refuses long JSON that is not", () => {
  const long = `{"a": 1, "b": "${"x".repeat(2 * 1024 ** 2)}"}`;
  assertEquals(parse("x.json", long).lineOf(["b"]), 1);
  const expected = "-: Cannot read the file: it is no plain JSON; with comments it may have 1 MiB";
  assertEquals(problemOf("x.json", `// so\n${long}`), expected);
});
