/** The contract's part on values: what servers and programs hand each other arrives unchanged. */
import { assertEquals } from "@std/assert";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import type { EngineTarget } from "../support/engines.ts";
import { FakeDownstream, type FakeTool } from "../support/fake_downstream.ts";
import { engineCase } from "./case.ts";

const TOOLS: readonly FakeTool[] = [
  { name: "give", call: ({ json }) => ({ kind: "value", value: new JsonText(String(json)) }) },
  { name: "say", call: ({ json }) => ({ kind: "text", text: String(json), mayBeJson: true }) },
  {
    name: "refuse",
    call: ({ json }) => ({ kind: "failed", message: "no", result: new JsonText(String(json)) }),
  },
  // What it got, as text that is no JSON.
  { name: "got", call: (_args, _options, text) => ({ kind: "value", value: `got ${text}` }) },
];

/** Registers the cases. */
export function valueCases(target: EngineTarget): void {
  const downstream = new FakeDownstream({ s: TOOLS });
  const options = {
    rpc: createRpcRouter({}),
    forRun: forRun(downstream),
  };
  const check = (name: string, code: string, expected: string) =>
    engineCase(target, name, async ({ session }) => {
      const result = await session.run(code, { servers: ["s"] });
      assertEquals(result.stdout, expected, result.stderr);
    }, options);

  check(
    "a result is what Python's json reads in its text",
    `import json
text = '{"id": 1234567890123456789, "f": 1.0, "neg": -0.0, "big": 1e400, "10": 1, "9": 2, "9": 3, "s": "\\\\ud800"}'
expected = repr(json.loads(text))
print(repr(await mcp_s.give(json=text)) == expected, repr(await mcp_s.say(json=text)) == expected)
try: await mcp_s.refuse(json=text)
except runtime.MCPError as error: print(repr(error.result) == expected)
print(expected)`,
    "True True\nTrue\n{'id': 1234567890123456789, 'f': 1.0, 'neg': -0.0, 'big': inf, " +
      "'10': 1, '9': 3, 's': '\\ud800'}\n",
  );
  check(
    "arguments are what Python's json writes, with dates and tuples as memory keeps them",
    `import datetime
day = datetime.date(2026, 7, 28)
print(await mcp_s.got(id=2**53 + 1, f=1.0, neg=-0.0, keys={"10": 1, "9": 2}, day=day, pair=(1, "\u2028")))`,
    'got {"id":9007199254740993,"f":1.0,"neg":-0.0,"keys":{"10":1,"9":2},"day":"2026-07-28",' +
      '"pair":[1,"\u2028"]}\n',
  );
  check(
    "a result that Python cannot read fails its call alone",
    `for json in ("9" * 5000, "{1}"):
    try: await mcp_s.give(json=json)
    except runtime.MCPError as error: print(str(error)[:26])
    print((await mcp_s.say(json=json)) == json)`,
    "Its result cannot be read:\nTrue\n".repeat(2),
  );
  check(
    "a result nested 500 deep arrives, and one too deep for Python fails its call alone",
    `import json
kept = "kept"
def nested(depth): return ["[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth, '[{"a":' * (depth // 2) + "1" + "}]" * (depth // 2)]
for text in nested(500):
    expected = json.loads(text)
    print(await mcp_s.give(json=text) == expected, await mcp_s.say(json=text) == expected)
for depth in (1001, 10_000, 100_000):
    for text in nested(depth):
        try: given = json.dumps(await mcp_s.give(json=text))[:4] and "value"
        except RecursionError: given = "value"
        except runtime.MCPError as error: given = str(error)[:26]
        assert given in ("value", "Its result cannot be read:"), given
        said = await mcp_s.say(json=text)
        assert said == text or not isinstance(said, str), depth
        try: await mcp_s.refuse(json=text)
        except runtime.MCPError as error: assert str(error) == "no" or str(error).startswith("Its result"), error
        del said
    assert given != "value" or depth < 100_000
print(kept)`,
    "True True\n".repeat(3) + "kept\n",
  );
}
