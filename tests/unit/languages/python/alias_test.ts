import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { assignAliases, isPythonName } from "../../../../src/languages/python/alias.ts";

const aliasesOf = (names: string[], previous?: Map<string, string>) =>
  Object.fromEntries(assignAliases(names, "tool", previous));

Deno.test("assignAliases() gives each hard name the alias a reader would expect", () => {
  const cases: Array<[string, string]> = [
    ["get_weather", "get_weather"],
    ["Get Weather", "get_weather"],
    ["a-b", "a_b"],
    ["a.b", "a_b"],
    ["a / b", "a_b"],
    ["class", "class_"],
    ["match", "match"],
    ["None", "none"],
    ["列表", "列表"],
    ["", "tool"],
    ["1x", "_1x"],
    ["-x-", "_x_"],
    ["🙂", "_"],
    ["İ", "i̇"],
    ["ﬁ", "fi"],
    ["Straße", "straße"],
    ["\u0301a", "_\u0301a"],
  ];
  for (const [name, alias] of cases) assertEquals(aliasesOf([name]), { [name]: alias });
});

Deno.test("assignAliases() names an empty server after what it is", () => {
  assertEquals([...assignAliases([""], "server")], [["", "server"]]);
});

Deno.test("assignAliases() leaves a real name to its owner, wherever it stands", () => {
  assertEquals(aliasesOf(["a-b", "a_b", "a.b"]), { "a-b": "a_b_2", a_b: "a_b", "a.b": "a_b_3" });
  assertEquals(aliasesOf(["a", "A", "a_2"]), { a: "a", A: "a_3", a_2: "a_2" });
  assertEquals(aliasesOf(["A", "Ａ", "a_2"]), { A: "a", Ａ: "a_3", a_2: "a_2" });
  assertEquals(aliasesOf(["class", "class_"]), { class: "class__2", class_: "class_" });
});

Deno.test("assignAliases() never gives out a real name in other letters", () => {
  // `Get` can be written in Python as it is, so no other tool may be reached by it.
  const aliases = aliasesOf(["Get", "get", "GET"]);
  assertEquals(aliases, { Get: "get_2", get: "get", GET: "get_3" });
});

Deno.test("assignAliases() keeps an alias that was given before", () => {
  const previous = new Map([["a.b", "a_b"], ["a-b", "a_b_2"]]);
  assertEquals(aliasesOf(["a-b", "a.b"], previous), { "a-b": "a_b_2", "a.b": "a_b" });
  assertEquals(aliasesOf(["a-b"], previous), { "a-b": "a_b_2" });
});

Deno.test("assignAliases() takes a kept alias away when it becomes a real name", () => {
  const previous = new Map([["a-b", "a_b"]]);
  assertEquals(aliasesOf(["a-b", "a_b"], previous), { "a-b": "a_b_2", a_b: "a_b" });
});

Deno.test("assignAliases() does not believe a stored alias that is none", () => {
  const previous = new Map([["a-b", "os.system"], ["c-d", "import"], ["e-f", "mcp"]]);
  assertEquals(aliasesOf(["a-b", "c-d", "e-f"], previous), {
    "a-b": "a_b",
    "c-d": "c_d",
    "e-f": "e_f",
  });
});

/** Names that clash often, and any text at all. */
const anyName = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "A", "_", "-", ".", "2", "é", "列", "ﬁ"), maxLength: 5 }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("class", "class_", "Class", "async", "a_2", "a_3"),
);
const someNames = fc.array(anyName, { maxLength: 12 });

Deno.test("assignAliases() is one to one, valid and the same every time", () => {
  fc.assert(fc.property(someNames, (names) => {
    const aliases = assignAliases(names, "tool");
    assertEquals(aliases.size, new Set(names).size);
    assertEquals(new Set(aliases.values()).size, aliases.size);
    for (const [name, alias] of aliases) {
      assert(isPythonName(alias), `${JSON.stringify(name)} → ${JSON.stringify(alias)}`);
      assert(alias === name || !names.includes(alias), `${alias} is the name of another tool`);
    }
    assertEquals([...assignAliases(names, "tool")], [...aliases]);
  }));
});

Deno.test("assignAliases() changes nothing when it is given what it gave", () => {
  fc.assert(fc.property(someNames, someNames, (before, added) => {
    const first = assignAliases(before, "tool");
    assertEquals([...assignAliases(before, "tool", first)], [...first]);
    const real = new Set([...before, ...added].filter(isPythonName));
    const second = assignAliases([...added, ...before], "tool", first);
    for (const [name, alias] of first) {
      if (alias === name || !real.has(alias)) assertEquals(second.get(name), alias);
    }
  }));
});

const python = await findPython();

Deno.test({
  name: "assignAliases() gives names that Python itself takes",
  ignore: python === undefined, // no python3 of 3.11 or newer on PATH
  async fn() {
    const names = fc.sample(fc.array(anyName, { minLength: 40, maxLength: 40 }), 50).flat();
    const aliases = [...assignAliases(names, "tool").values()];
    // Letters that are younger than this Python's Unicode tables are no fault of ours.
    const program = `
import json, sys, keyword, unicodedata
ok = lambda n: n.isidentifier() and not keyword.iskeyword(n) and unicodedata.normalize("NFKC", n) == n
known = lambda n: all(unicodedata.category(c) != "Cn" for c in n)
print(json.dumps([n for n in json.load(sys.stdin) if known(n) and not ok(n)]))`;
    const child = new Deno.Command(python!, {
      args: ["-X", "utf8", "-c", program],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(JSON.stringify(aliases)));
    await writer.close();
    const { stdout } = await child.output();
    assertEquals(JSON.parse(new TextDecoder().decode(stdout)), []);
  },
});

async function findPython(): Promise<string | undefined> {
  try {
    const { success } = await new Deno.Command("python3", {
      args: ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"],
    }).output();
    return success ? "python3" : undefined;
  } catch {
    return undefined;
  }
}
