/**
 * The whole bridge and a server whose JSON is made to break it. Whatever it sends, the host lives, the next
 * call works, and nothing has to be caught by the net in `main.ts`.
 */
import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, fixture, textWith } from "../support/bridge_servers.ts";
import { HOSTILE_WORDS } from "../support/hostile_words.ts";
import type { StdioClient } from "../support/stdio_client.ts";

const deep = (count: number) => `<[|${count}><]|${count}>`;
const result = (json: string) => `{"jsonrpc":"2.0","id":$id,"result":${json}}`;
const structured = (json: string) => result(`{"content":[],"structuredContent":${json}}`);
const object = (value: string) =>
  `{${HOSTILE_WORDS.map((word) => `"${word}":${value}`).join(",")}}`;
const tools = (...list: string[]) => ({ env: { TOOLS: `[${list.join(",")}]` } });

const many = `{${Array.from({ length: 5000 }, (_, at) => `"k${at}":${at}`).join(",")}}`;

/** Lines that a call is answered with; what Python makes of them is another suite's. */
const LINES: readonly string[] = [
  structured('{"5":2,"z":[[[1]]]}'),
  structured('{"5":2,"toJSON":"x"}'),
  structured(many),
  structured(object("1")),
  structured(object('{"a":1}')),
  ...HOSTILE_WORDS.map((word) => structured(`{"${word}":{"a":[1]}}`)),
  structured('{"b":1}'),
  result(`{"content":[{"type":"text","text":"x"}],"5":2,"z":${deep(20_000)}}`),
  result(`{"content":[{"type":"new","5":2,"z":${deep(20_000)}}]}`),
  result(`{"content":[{"type":"text","text":{"5":${deep(20_000)}}}]}`),
  result(`{"content":[],"isError":true,"_meta":{"5":2,"z":${deep(4000)}}}`),
  `{"jsonrpc":"2.0","id":$id,"error":{"code":1,"message":"no","data":${object("1")}}}`,
];

const DEEP_SCHEMA = `{"5":2,"toJSON":1,"type":"object","properties":{"a":` +
  `<{"properties":{"a":|10000>{}<}}|10000>}}`;

const SERVERS = {
  odd: fixture("odd_json"),
  deep: {
    ...fixture("odd_json"),
    ...tools(`{"name":"say","inputSchema":${DEEP_SCHEMA},"outputSchema":${DEEP_SCHEMA}}`),
  },
  words: {
    ...fixture("odd_json"),
    ...tools(
      ...HOSTILE_WORDS.map((word) =>
        `{"name":"${word}","inputSchema":{"type":"object","properties":` +
        `${object('{"type":"string"}')},"required":["${word}"]},"outputSchema":${object("{}")}}`
      ),
    ),
  },
  // A server may have any name.
  constructor: fixture("odd_json"),
  ["__proto__"]: fixture("odd_json"),
};

const call = (server: string, tool: string, line: string) =>
  `try:\n  r = runtime.call_tool(${JSON.stringify(server)}, ${JSON.stringify(tool)}, ` +
  `{"line": ${JSON.stringify(line)}})\n  print("value")\n` +
  `except Exception as error:\n  print(type(error).__name__)`;

const DOCS = (server: string) =>
  [
    `runtime.query_tool_docs("${server}", detail="full")`,
    `runtime.query_tool_docs("${server}")`,
    `runtime.list_tools("${server}")`,
    `runtime.stubs("${server}")`,
    `runtime.search_tool_docs("say", detail="full")`,
    `runtime.list_resources("${server}")`,
    `runtime.list_prompts("${server}")`,
  ].map((code) => `print(len(str(${code})) > 0)`);

/** The most memory that the bridge has had, where the system tells it. */
async function assertSmall({ pid }: StdioClient): Promise<void> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => "");
  const mib = Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
  // deno-lint-ignore no-console
  console.log(`Most memory of the bridge: ${mib} MiB (at most 600)`);
  assertLess(mib, 600);
}

async function assertAlive(client: StdioClient): Promise<void> {
  assertEquals(await textWith(client, [], "print(6 * 7)"), "42", client.stderr);
}

Deno.test("no JSON of a server ends the host, not when it comes and not later", async () => {
  await using home = new BridgeHome();
  // The second bridge reads what the first one has stored.
  for (const round of [1, 2]) {
    await using client = await connectWithServers(home, SERVERS);
    for (const line of LINES) {
      const code = call("odd", "say", line);
      assertMatch(await textWith(client, ["odd"], code), /^(value|MCPError)$/, line.slice(0, 200));
    }
    for (const server of ["deep", "words", "constructor", "__proto__"]) {
      for (const code of DOCS(server)) {
        assertEquals(await textWith(client, [server], code), "True", `${server}: ${code}`);
      }
      await assertAlive(client);
    }
    assertEquals(await textWith(client, ["deep"], call("deep", "say", structured("1"))), "value");
    for (const word of HOSTILE_WORDS) {
      const code =
        `print(runtime.call_tool("words", "${word}", {"line": ${JSON.stringify(LINES[0])}, ` +
        `"${word}": "x"}))`;
      assertEquals(await textWith(client, ["words"], code), "{'5': 2, 'z': [[[1]]]}", word);
    }
    // Shapes are written two seconds after a call.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await assertAlive(client);
    assertEquals(/^.*Internal error.*$/m.exec(client.stderr)?.[0], undefined, `round ${round}`);
    await assertSmall(client);
    assert(client.stderr.includes('Not read: the input schema of the tool "say" of "deep"'));
  }
});

Deno.test("names that mean something to JavaScript are kept like any other", async () => {
  await using home = new BridgeHome();
  await using client = await connectWithServers(home, {});
  const names = HOSTILE_WORDS.filter((word) => !word.startsWith("_")).sort();
  const code = `words = ${JSON.stringify(HOSTILE_WORDS)}
for word in words:
    save_memory(word, {word: word}, metadata={word: 1})
    update_memory(word, lambda value: {**value, "more": word})
    assert load_memory(word) == {word: word, "more": word}, word
    assert get_memory_info(word)["metadata"] == {word: 1}, word
    save_file(word, word)
assert sorted(one["key"] for one in list_memories()) == sorted(words)
${names.map((name) => `def ${name}(): return 1\nsave_tool(${name})`).join("\n")}
print(sorted(one["name"] for one in list_saved_tools()))
for word in words:
    assert delete_memory(word)`;
  const text = await textWith(client, [], code);
  assertEquals(text.split("\n")[0], `[${names.map((name) => `'${name}'`).join(", ")}]`);
  await assertAlive(client);
});
