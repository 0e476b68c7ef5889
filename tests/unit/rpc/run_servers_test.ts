import { assertEquals } from "@std/assert";
import { createRunServerLoader } from "../../../src/rpc/run_servers.ts";
import { FakeDownstream } from "../../support/fake_downstream.ts";

const signal = new AbortController().signal;

Deno.test("createRunServerLoader() loads what is named and tells of all", async () => {
  const tool = { name: "a-b", alias: "a_b", call: () => ({ kind: "value" as const, value: 1 }) };
  const load = createRunServerLoader(new FakeDownstream({ weather: [tool], todo: [] }));
  const { servers, discovered, failures } = await load(["weather"], signal);
  assertEquals(servers.map(({ name, alias, tools }) => [name, alias, tools.length]), [
    ["weather", "weather", 1],
  ]);
  assertEquals(servers[0]!.tools[0], {
    name: "a-b",
    alias: "a_b",
    description: "",
    input_schema: { type: "object" },
  });
  assertEquals(discovered, { weather: "The weather", todo: "The todo" });
  assertEquals(failures, []);
});

Deno.test("createRunServerLoader() keeps a server that failed apart from the others", async () => {
  const load = createRunServerLoader(new FakeDownstream({ weather: [], broken: null }));
  const { servers, failures } = await load(["broken", "weather"], signal);
  const message = 'Cannot start "broken": it exited with code 1';
  assertEquals(servers.map(({ name, error }) => [name, error]), [
    ["broken", message],
    ["weather", undefined],
  ]);
  assertEquals(failures, [{ name: "broken", message }]);
});
