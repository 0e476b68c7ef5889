import { assertEquals } from "@std/assert";
import { describeUnknownServers } from "../../../src/server/server_directory.ts";

Deno.test("describeUnknownServers() is silent when all names are known", () => {
  assertEquals(describeUnknownServers(["a"], ["a", "b"]), undefined);
  assertEquals(describeUnknownServers([], []), undefined);
});

Deno.test("describeUnknownServers() says so when no servers are configured", () => {
  assertEquals(
    describeUnknownServers(["zz"], []),
    "Unknown MCP server: zz. No MCP servers are configured",
  );
});

Deno.test("describeUnknownServers() suggests the nearest name and lists the known ones", () => {
  assertEquals(
    describeUnknownServers(["wether", "github", "zz"], ["weather", "github"]),
    "Unknown MCP server: wether (did you mean weather?), zz. Known servers: weather, github",
  );
});

Deno.test("describeUnknownServers() stays short whatever it is given", () => {
  const known = Array.from({ length: 500 }, (_, index) => `server-${index}`);
  const unknown = Array.from({ length: 500 }, (_, index) => `${index}${"x".repeat(10_000)}`);
  const error = describeUnknownServers(unknown, known)!;
  assertEquals(error.endsWith("server-49 and 450 more"), true);
  assertEquals(error.length < 6000, true);
});
