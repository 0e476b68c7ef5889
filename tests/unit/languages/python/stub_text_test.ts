import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type StubTool, toStubs } from "../../../../src/languages/python/stub_text.ts";

type Json = Record<string, unknown>;

const text = { type: "string" };
const object = (properties: Json, required: string[] = [], more: Json = {}): Json => ({
  type: "object",
  properties,
  required,
  ...more,
});
const tool = (name: string, inputSchema: Json, more: Partial<StubTool> = {}): StubTool => ({
  alias: name,
  description: "",
  inputSchema,
  ...more,
});
/** Stubs without the first line. */
const stubs = (...tools: StubTool[]) => {
  const [first, ...lines] = toStubs({ name: "My Server", alias: "my_server" }, tools).split("\n");
  assertEquals(first, "# My Server: await mcp_my_server.<tool>(...)");
  return lines.join("\n");
};

Deno.test("toStubs() writes types, signatures and docs", () => {
  const weather = tool(
    "get_weather",
    object({ city: { ...text, description: "Name\nof the city" } }, ["city"]),
    {
      description: 'The "weather" \\ of a city.\n\nA long story.',
      outputSchema: object({
        days: {
          type: "array",
          items: object({ high: { type: "number", description: "°C" } }, ["high"]),
        },
        "sky-colour": text,
      }, ["days"]),
    },
  );
  assertEquals(
    stubs(weather),
    `\
class Day(TypedDict):
    high: float  # °C
GetWeatherResult = TypedDict("GetWeatherResult", {"days": list[Day], "sky-colour": NotRequired[str]})
async def get_weather(city: str) -> GetWeatherResult:
    """The "weather" \\\\ of a city.
    city: Name of the city
    """
`,
  );
});

Deno.test("toStubs() marks what was only observed", () => {
  const observed = { type: ["object"], properties: { result: { type: ["string"] } }, required: [] };
  assertEquals(
    stubs(tool("get", object({}), { observed })),
    "class GetResult(TypedDict):\n    result: NotRequired[str]\n" +
      "async def get() -> GetResult: ...  # observed, not promised\n",
  );
  assertMatch(
    stubs(tool("get", object({}), { observed, description: "Get it" })),
    /GetResult: {2}# observed, not promised\n {4}"""Get it"""\n$/,
  );
});

Deno.test("toStubs() defines what is alike once, and what differs under another name", () => {
  const user = object({ name: text }, ["name"], { title: "User" });
  const other = object({ id: text }, ["id"], { title: "User" });
  assertEquals(
    stubs(
      tool("add", object({ user }, ["user"])),
      tool("put", object({ owner: user }, ["owner"])),
      tool("ban", object({ user: other }, ["user"])),
    ),
    `\
class User(TypedDict):
    name: str
async def add(user: User) -> Any: ...
async def put(owner: User) -> Any: ...
class BanUser(TypedDict):
    id: str
async def ban(user: BanUser) -> Any: ...
`,
  );
});

Deno.test("toStubs() comes to an end with types that hold themselves", () => {
  const $defs = {
    node: object({ next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } }),
    a: object({ b: { $ref: "#/$defs/b" } }),
    b: object({ "a-a": { $ref: "#/$defs/a" } }),
  };
  const schema = object({ node: { $ref: "#/$defs/node" }, a: { $ref: "#/$defs/a" } }, [], {
    $defs,
  });
  assertEquals(
    stubs(tool("f", schema), tool("g", schema)),
    `\
class Node(TypedDict):
    next: NotRequired[Node | None]
B = TypedDict("B", {"a-a": NotRequired["A"]})
class A(TypedDict):
    b: NotRequired[B]
async def f(*, node: Node = ..., a: A = ...) -> Any: ...
GAB = TypedDict("GAB", {"a-a": NotRequired["GA"]})
class GA(TypedDict):
    b: NotRequired[GAB]
async def g(*, node: Node = ..., a: GA = ...) -> Any: ...
`,
  );
});

Deno.test("toStubs() says where more is to be found", () => {
  const letters = { enum: [..."abcdefghijklmnop"] };
  assertMatch(
    stubs(tool("f", object({ x: letters }))),
    /^# Literal\[\.\.\., \.\.\.\] has more values/,
  );
  assertEquals(stubs(), "# It has no tools\n");
  const keys = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, text]));
  assertStringIncludes(stubs(tool("f", object({ x: object(keys) }))), "\n    # and 10 more keys\n");
});

Deno.test("toStubs() stays short and quick for very many tools and very big schemas", () => {
  const startedAt = performance.now();
  const many = Array.from(
    { length: 5000 },
    (_, at) =>
      tool(`tool_${at}`, object({ x: object({ [`key_${at}`]: text }) }), {
        description: "What it does. ".repeat(30),
      }),
  );
  const long = toStubs({ name: "s", alias: "s" }, many);
  assert(long.length < 101_000, `${long.length}`);
  assertMatch(long, /\n# and \d{4} more tools: runtime\.stubs\("s", "tool"\) shows one/);
  const wide = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [`key_${at}`, object({ a: text, b: { $ref: "#" } })]),
  );
  const big = stubs(tool("f", object(wide), { outputSchema: object({ x: object(wide) }) }));
  assert(big.length < 30_000, `${big.length}`);
  const parts = Array.from({ length: 50 }, () => ({ $ref: "#" }));
  stubs(tool("f", { allOf: parts, anyOf: parts, oneOf: parts }));
  const words = "x ".repeat(1_000_000);
  assert(
    stubs(tool("f", object({ x: { description: words } }), { description: words })).length < 1000,
  );
  assert(performance.now() - startedAt < 5000);
});
