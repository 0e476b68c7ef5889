/** The engines that tests of the whole bridge run on, each container CLI with the newest Python. */
import { fail } from "@std/assert";
import type { BridgeOptions } from "./bridge_home.ts";
import { findContainerTargets } from "./container_targets.ts";

/** An engine to start a bridge with. */
export interface BridgeEngine {
  name: string;
  /** What makes a bridge use it. */
  options: BridgeOptions;
  /** Registers a test; skipped, with the reason in its name, where the engine cannot run. */
  test(title: string, body: () => Promise<void>): void;
}

/** The engines of these names. */
export async function findBridgeEngines(
  names: readonly ("wasm" | "podman" | "docker")[] = ["wasm", "podman"],
): Promise<BridgeEngine[]> {
  const targets = await findContainerTargets();
  const conf = Deno.env.get("CONTAINERS_CONF");
  return names.map((name) => {
    if (name === "wasm") return toEngine(name, {});
    const target = targets.find((target) => target.name === `${name}, Python 3.14`)!;
    const env = {
      MCP_BRIDGE_ENGINE: name,
      MCP_BRIDGE_IMAGE: target.report.image,
      ...(conf !== undefined && { CONTAINERS_CONF: conf }),
    };
    return toEngine(name, { env }, target.unavailable);
  });
}

function toEngine(name: string, options: BridgeOptions, unavailable?: string): BridgeEngine {
  const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";
  const reason = unavailable === undefined ? "" : ` (skipped: ${unavailable})`;
  return {
    name,
    options,
    test: (title, body) =>
      Deno.test({
        name: `${name}: ${title}${reason}`,
        ignore: unavailable !== undefined && !required,
        fn: () => unavailable === undefined ? body() : fail(`${name} is required: ${unavailable}`),
      }),
  };
}
