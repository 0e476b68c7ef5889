/** How a case of the shared suites becomes a test of each engine. */
import { assertEquals, fail } from "@std/assert";
import type { Engine } from "../../src/engine/engine.ts";
import type { SandboxPolicy } from "../../src/engine/policy.ts";
import type { EngineTarget } from "../support/engines.ts";
import { TestSession } from "../support/sessions.ts";

/** What a case gets. */
export interface CaseContext {
  session: TestSession;
  engine: Engine;
}

/** Options of {@link engineCase}. */
export type CaseOptions = ConstructorParameters<typeof TestSession>[1] & {
  /** A limit without which the case makes no sense; skipped, with the reason, where it is not held. */
  needs?: keyof SandboxPolicy;
};

/** Registers a case for an engine; each gets a session of its own. */
export function engineCase(
  target: EngineTarget,
  name: string,
  body: (context: CaseContext) => Promise<void>,
  { needs, ...options }: CaseOptions = {},
): void {
  const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";
  const { unavailable } = target;
  const lacks = needs !== undefined && target.unenforced?.includes(needs)
    ? `${needs} is not enforceable here`
    : undefined;
  const skipped = unavailable ?? lacks;
  const reason = skipped === undefined ? "" : ` (skipped: ${skipped})`;
  Deno.test({
    name: `${target.name}: ${name}${reason}`,
    ignore: lacks !== undefined || (unavailable !== undefined && !required),
    async fn() {
      if (unavailable !== undefined) fail(`${target.name} is required here: ${unavailable}`);
      const engine = await target.create();
      await using session = new TestSession(engine, options);
      await body({ session, engine });
    },
  });
}

/** Registers a case for a program that succeeds and prints exactly this, and nothing on stderr. */
export function printsCase(
  target: EngineTarget,
  name: string,
  code: string,
  stdout: string,
): void {
  engineCase(target, name, async ({ session }) => {
    const result = await session.run(code);
    assertEquals(result.stderr, "");
    assertEquals(result.stdout, stdout);
    assertEquals(result.status, "success");
  });
}
