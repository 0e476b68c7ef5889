import { assertEquals, assertRejects } from "@std/assert";
import { forRun } from "../../../src/downstream/for_run.ts";
import { toServerMetadata } from "../../../src/rpc/run_servers.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { JsonText } from "../../../src/shared/json/json_text.ts";
import { FakeDownstream } from "../../support/fake_downstream.ts";

const { signal } = new AbortController();

function reachOf(downstream: FakeDownstream, servers: readonly string[]) {
  return forRun(downstream)({ servers, signal, remainingMs: () => 1000 });
}

Deno.test("forRun() loads what is named and tells of all", async () => {
  const tool = { name: "a-b", alias: "a_b", call: () => ({ kind: "value" as const, value: 1 }) };
  const reach = await reachOf(new FakeDownstream({ weather: [tool], todo: [] }), ["weather"]);
  const [weather, ...others] = await Promise.all((await reach.load(signal)).map(toServerMetadata));
  assertEquals(others, []);
  assertEquals([weather!.name, weather!.alias], ["weather", "weather"]);
  assertEquals<unknown>(weather!.tools, [{
    name: "a-b",
    alias: "a_b",
    description: "",
    input_schema: { type: "object" },
    signature: "a_b(**arguments) -> Any",
    call: { parameters: [], open: true, rest: "arguments", notes: [] },
  }]);
  assertEquals(reach.discovered, { weather: "The weather", todo: "The todo" });
});

Deno.test("forRun() keeps a server that failed apart from the others", async () => {
  const reach = await reachOf(new FakeDownstream({ weather: [], broken: null }), [
    "broken",
    "weather",
  ]);
  const servers = await Promise.all((await reach.load(signal)).map(toServerMetadata));
  assertEquals(servers.map(({ name, error }) => [name, error]), [
    ["broken", 'Cannot start "broken": it exited with code 1'],
    ["weather", undefined],
  ]);
});

Deno.test("forRun() reads the configuration once, however much the run asks", async () => {
  let reads = 0;
  class Counting extends FakeDownstream {
    override servers() {
      reads++;
      return super.servers();
    }
  }
  const call = () => ({ kind: "value" as const, value: 1 });
  const reach = await reachOf(new Counting({ s: [{ name: "t", call }], other: [] }), ["s"]);
  await reach.load(signal);
  await reach.callTool("s", "t", JsonText.of({}));
  await assertRejects(
    () => reach.callTool("other", "t", JsonText.of({})),
    AppError,
    "Server 'other' is not available: add it to the `servers` argument of run_python",
  );
  assertEquals([reads, Object.keys(reach.discovered)], [1, ["s", "other"]]);
});

Deno.test("forRun() refuses names that are not there before anything is started", async () => {
  await assertRejects(
    () => reachOf(new FakeDownstream({ weather: [] }), ["wether"]),
    AppError,
    "Unknown MCP server: wether (did you mean weather?). Known servers: weather",
  );
});
