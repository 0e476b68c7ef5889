/** How a case of the shared suites becomes a test of each engine. */
import { fail } from "@std/assert";
import type { Engine } from "../../src/engine/engine.ts";
import type { EngineTarget } from "../support/engines.ts";
import { TestSession } from "../support/sessions.ts";

/** What a case gets. */
export interface CaseContext {
  session: TestSession;
  engine: Engine;
}

/** Registers a case for an engine; each gets a session of its own. */
export function engineCase(
  target: EngineTarget,
  name: string,
  body: (context: CaseContext) => Promise<void>,
  options: ConstructorParameters<typeof TestSession>[1] = {},
): void {
  const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";
  const { unavailable } = target;
  const reason = unavailable === undefined ? "" : ` (skipped: ${unavailable})`;
  Deno.test({
    name: `${target.name}: ${name}${reason}`,
    ignore: unavailable !== undefined && !required,
    async fn() {
      if (unavailable !== undefined) fail(`${target.name} is required here: ${unavailable}`);
      const engine = await target.create();
      await using session = new TestSession(engine, options);
      await body({ session, engine });
    },
  });
}
