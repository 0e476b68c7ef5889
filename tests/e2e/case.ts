/** How a case of the shared suite becomes a test of each client. */
import { assertEquals, fail } from "@std/assert";
import { BridgeHome, type BridgeOptions } from "../support/bridge_home.ts";
import type { ClientAnswer, ClientTarget, Connection } from "../support/client_targets.ts";

/** Registers a case for a client; each gets a server of its own. */
export function clientCase(
  target: ClientTarget,
  name: string,
  body: (connection: Connection) => Promise<void>,
  options: BridgeOptions = {},
): void {
  const { unavailable } = target;
  const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";
  const reason = unavailable === undefined ? "" : ` (skipped: ${unavailable})`;
  Deno.test({
    name: `${target.name}: ${name}${reason}`,
    ignore: unavailable !== undefined && !required,
    async fn() {
      if (unavailable !== undefined) fail(`${target.name} is required here: ${unavailable}`);
      await using home = new BridgeHome();
      await using connection = await target.connect(home, options);
      await body(connection);
    },
  });
}

/** What the model gets. */
export interface Expected {
  text: string;
  structured: Record<string, unknown>;
  isError?: boolean;
  /** Engine in `_meta`; null for a call that never reached one. @default "wasm" */
  engine?: string | null;
}

/** Compares an answer that has text and nothing else, keys in their order. */
export function assertAnswer(answer: ClientAnswer, expected: Expected): void {
  const { text, structured, isError = false, engine = "wasm" } = expected;
  assertEquals(answer.content, [{ type: "text", text }]);
  assertEquals(JSON.stringify(answer.structuredContent), JSON.stringify(structured));
  assertEquals(answer.isError ?? false, isError);
  assertEquals(answer._meta?.["mcp-bridge/engine"] ?? null, engine);
}
