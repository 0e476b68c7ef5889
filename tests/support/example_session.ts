/** A session as a user has one: the servers of `examples/`, a state folder, memory and saved tools. */
import type { ServerTransport } from "../../src/discovery/entry/server_entry.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import { createRig } from "../downstream/rig.ts";
import { rpcDeps } from "./rpc_deps.ts";
import { TestSession } from "./sessions.ts";

/** A server of `examples/`. */
export function exampleServer(name: "weather" | "todo"): ServerTransport {
  const path = new URL(`../../examples/${name}_server.ts`, import.meta.url).pathname;
  return { kind: "stdio", command: Deno.execPath(), args: ["run", "--quiet", path], env: {} };
}

/** Gives `body` a session that may use the servers `weather`, `todo` and `my-server`. */
export async function withExampleServers(
  engine: Engine,
  body: (session: TestSession) => Promise<void>,
): Promise<void> {
  await using rig = await createRig({
    weather: exampleServer("weather"),
    todo: exampleServer("todo"),
    "my-server": exampleServer("todo"),
  });
  const deps = rpcDeps(`${rig.cacheDir}/state`);
  await using session = new TestSession(engine, {
    rpc: createRpcRouter(deps),
    forRun: forRun(rig.downstream),
    savedTools: async () => await (await deps.savedTools()).sources(),
  });
  await body(session);
}
