/** The servers of `tests/fixtures/programs/servers.json`, for sessions; the Python tests read the same file. */
import { createRpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import fixture from "../fixtures/programs/servers.json" with { type: "json" };
import { FakeDownstream, type FakeTool } from "./fake_downstream.ts";

interface FixtureTool {
  name: string;
  alias: string;
  description?: string;
  input_schema: Record<string, unknown>;
  result: unknown;
}

/** Names of the servers that a run can be given. */
export const PROGRAM_SERVERS: readonly string[] = Object.keys(fixture.servers);

/** Options of a session that has them. */
export function programSessionOptions() {
  const servers = Object.fromEntries(
    Object.entries(fixture.servers as Record<string, readonly FixtureTool[]>)
      .map(([name, tools]) => [name, tools.map(toFakeTool)]),
  );
  // One that is configured and not in the fixture's runs.
  const downstream = new FakeDownstream({ ...servers, github: [] });
  return {
    rpc: createRpcRouter({}),
    forRun: forRun(downstream),
  };
}

function toFakeTool(
  { name, alias, description = "", input_schema, result }: FixtureTool,
): FakeTool {
  return {
    name,
    alias,
    description,
    inputSchema: input_schema,
    call: (args) => {
      if (args.city === "Atlantis") {
        return { kind: "failed", message: "Invalid argument city: no such place", result: null };
      }
      return { kind: "value", value: fill(result, args) };
    },
  };
}

/** `$city` is the argument of that name. */
function fill(result: unknown, args: Record<string, unknown>): unknown {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return result;
  return Object.fromEntries(
    Object.entries(result).map(([key, value]) => [
      key,
      typeof value === "string" && value.startsWith("$") ? args[value.slice(1)] ?? null : value,
    ]),
  );
}
