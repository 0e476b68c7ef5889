/** The engines that tests of the whole bridge run on: the embedded one and one podman. */
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

/** Every such engine. */
export async function findBridgeEngines(): Promise<BridgeEngine[]> {
  const targets = await findContainerTargets();
  const podman = targets.find(({ name }) => name === "podman, Python 3.14")!;
  const conf = Deno.env.get("CONTAINERS_CONF");
  const env = {
    MCP_BRIDGE_ENGINE: "podman",
    MCP_BRIDGE_IMAGE: podman.report.image,
    ...(conf !== undefined && { CONTAINERS_CONF: conf }),
  };
  return [toEngine("wasm", {}), toEngine("podman", { env }, podman.unavailable)];
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
