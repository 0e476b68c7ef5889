/** The contract's part on values: what servers and programs hand each other arrives unchanged. */
import { assertEquals } from "@std/assert";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { createRunServerLoader } from "../../src/rpc/run_servers.ts";
import { JsonText } from "../../src/shared/json_text.ts";
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
    rpc: createRpcRouter({ downstream }),
    loadServers: createRunServerLoader(downstream),
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
}
