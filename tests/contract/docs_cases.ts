/** The contract's part on docs of tools: signatures, stubs and what results looked like, on every engine. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import { createRig } from "../downstream/rig.ts";
import type { EngineTarget } from "../support/engines.ts";
import { exampleServer } from "../support/example_session.ts";
import { FakeDownstream, type FakeTool } from "../support/fake_downstream.ts";
import { TestSession } from "../support/sessions.ts";
import { engineCase } from "./case.ts";

const text = { type: "string" };

const FORECAST: FakeTool = {
  name: "get-forecast",
  alias: "get_forecast",
  description: "Forecast of a city.",
  inputSchema: {
    type: "object",
    properties: {
      city: { ...text, description: "Name of the city" },
      units: { enum: ["c", "f"], default: "c" },
      from: text,
    },
    required: ["city"],
  },
  outputSchema: {
    type: "object",
    properties: { days: { type: "array", items: { $ref: "#/$defs/Day" } } },
    required: ["days"],
    $defs: { Day: { type: "object", properties: { day: text, high: { type: "number" } } } },
  },
  call: () => ({ kind: "value", value: { days: [] } }),
};

const PING: FakeTool = { name: "ping", call: () => ({ kind: "value", value: "pong" }) };

const STUBS = `\
# weather: await mcp_weather.<tool>(...)
class Day(TypedDict):
    day: NotRequired[str]
    high: NotRequired[float]
class GetForecastResult(TypedDict):
    days: list[Day]
async def get_forecast(city: str, *, units: Literal["c", "f"] = "c", from_: str = ...) -> GetForecastResult:
    """Forecast of a city.
    city: Name of the city
    """
async def ping(**arguments) -> Any: ...
`;

const SIGNATURE =
  '(city: str, *, units: Literal["c", "f"] = "c", from_: str = ...) -> {"days": list[{"day": ' +
  'NotRequired[str], "high": NotRequired[float]}]}';

function setUp() {
  const downstream = new FakeDownstream({ weather: [FORECAST, PING], broken: null });
  return {
    rpc: createRpcRouter({}),
    forRun: forRun(downstream),
  };
}

/** Registers the cases. */
export function docsCases(target: EngineTarget): void {
  const check = (name: string, code: string, expected: string, servers: string[] = []) =>
    engineCase(target, name, async ({ session }) => {
      const result = await session.run(code, { servers });
      assertEquals(result.stdout, expected, result.stderr);
    }, setUp());

  check(
    "stubs of a server that the run was not given are Python",
    "import ast\nt = runtime.stubs('weather')\nast.parse(t)\nprint(t, end='')",
    STUBS,
  );
  check(
    "stubs can be awaited, and be of some tools only",
    "print((await runtime.stubs('weather', 'PING')).splitlines()[1:])\n" +
      "print(runtime.stubs('weather', ['ping', 'get-forecast']) == runtime.stubs('weather', 'ping', 'get_forecast'))",
    "['async def ping(**arguments) -> Any: ...']\nTrue\n",
  );
  check(
    "stubs of what is not there are an error with the next step",
    "for args in [('weather', 'pin'), ('broken',), ('weather', 5)]:\n" +
      "  try:\n    runtime.stubs(*args)\n  except runtime.MCPError as e:\n    print(e)",
    'Server "weather" has no tool "pin"\n  hint: Did you mean "ping"?\n' +
      'Cannot start "broken": it exited with code 1\n' +
      "Cannot answer stubs: 'tools[0]' must be a string, not 5\n",
  );
  check(
    "docs of a server that the run was not given have its signature",
    "d = await runtime.query_tool_docs('weather', 'Get-Forecast')\n" +
      "print(d['signature'], list(d))\n" +
      "print([x['tool'] for x in await runtime.query_tool_docs('weather', detail='full')])",
    `get_forecast${SIGNATURE} ['server', 'serverAlias', 'tool', 'toolAlias', 'signature', 'description']\n` +
      "['get-forecast', 'ping']\n",
  );
  for (
    const echoed of [
      "await runtime.search_tool_docs('forecast of a city', limit=1)",
      "await runtime.query_tool_docs('weather', detail='summary')",
      "runtime.query_tool_docs_sync('weather')",
    ]
  ) {
    engineCase(target, `${echoed} is echoed as a line for each tool`, async ({ session }) => {
      const { stdout } = await session.run(echoed, { servers: ["weather"] });
      const line = `mcp_weather.get_forecast${SIGNATURE}  # Forecast of a city.\n`;
      assertEquals(stdout.slice(0, line.length), line);
      assertEquals((await session.run("print(type(_[0]))")).stdout, "<class 'dict'>\n");
    }, setUp());
  }
  check(
    "an echoed search says which servers to name",
    "await runtime.search_tool_docs('forecast of a city', limit=1)",
    `mcp_weather.get_forecast${SIGNATURE}  # Forecast of a city.\n` +
      'To call these, add to `servers` of run_python: "weather"\n',
  );
  check(
    "an echoed list of tools has their signatures",
    "await runtime.list_tools('weather')",
    `get_forecast${SIGNATURE}  # Forecast of a city.\nping(**arguments) -> Any\n`,
  );
  check(
    "the signature in the sandbox is the one in the docs",
    "import inspect, pydoc\nm = mcp_weather.get_forecast\n" +
      "d = await runtime.query_tool_docs('weather', 'get_forecast')\n" +
      "print(runtime.query_tool_docs_sync('weather', 'get_forecast')['signature'] == d['signature'])\n" +
      "print(inspect.signature(m).return_annotation)\n" +
      "print('city: Name of the city' in pydoc.render_doc(m))",
    'True\n{"days": list[{"day": NotRequired[str], "high": NotRequired[float]}]}\nTrue\n',
    ["weather"],
  );

  engineCase(target, "results of a tool that promises nothing are observed", async ({ engine }) => {
    await using rig = await createRig({
      weather: exampleServer("weather"),
      todo: exampleServer("todo"),
    });
    const print = async (code: string, servers: string[] = []) => {
      const { downstream } = rig;
      await using session = new TestSession(engine, {
        rpc: createRpcRouter({}),
        forRun: forRun(downstream),
      });
      const result = await session.run(code, { servers });
      assertEquals(result.error, undefined, result.stderr);
      return result.stdout;
    };
    assertMatch(await print("print(runtime.stubs('weather'))"), /"celsius"\) -> Any:\n/);
    await print(
      "await mcp_weather.get_weather(city='Oslo')\nawait mcp_todo.add(text='x')\n" +
        "await mcp_todo.complete(id=1)",
      ["weather", "todo"],
    );
    const stubs = await print("print(runtime.stubs('weather', 'get_weather'))");
    assertStringIncludes(
      stubs,
      "class GetWeatherResult(TypedDict):\n    city: str\n    temperature: int\n    units: str\n    sky: str\n",
    );
    assertStringIncludes(stubs, "-> GetWeatherResult:  # observed, not promised\n");
    assertStringIncludes(
      await print("d = await runtime.query_tool_docs('todo', 'add')\nprint(d['signature'], d)"),
      'add(text: str) -> {"id": int, "text": str, "done": bool} {',
    );
    await rig.restart();
    const later = await print("print(await runtime.search_tool_docs('complete item', limit=1))");
    assertStringIncludes(later, "'observed': True");
    assertEquals(rig.log.filter((line) => line.includes("Connected")).length, 2);
  });
}
