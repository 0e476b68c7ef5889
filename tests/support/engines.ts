/**
 * The engines of this machine that the shared suites run against. One that cannot run here is skipped
 * with its reason in the test's name; `MCP_BRIDGE_REQUIRE_ENGINES=1` turns such a skip into a failure.
 */
import type { Engine } from "../../src/engine/engine.ts";
import type { SandboxPolicy } from "../../src/engine/policy.ts";
import { WasmEngine } from "../../src/engine/wasm/wasm_engine.ts";
import { loadDenoEnvironment } from "../../src/config/load.ts";
import { createLogger } from "../../src/shared/log.ts";
import { findContainerTargets } from "./container_targets.ts";

/** An engine to test. */
export interface EngineTarget {
  name: string;
  /** What kind of interpreter it makes: a column of the table of limits in `docs/engines.md`. */
  kind: "wasm" | "process";
  /** Why it cannot run here. */
  unavailable?: string;
  /** Limits that it cannot hold on this machine. */
  unenforced?: readonly (keyof SandboxPolicy)[];
  create(): Promise<Engine>;
}

/** Folder for the snapshot of all tests: it is named after its content, so runs can share it. */
export const cacheDir: string = await testCacheDir();

/** The embedded engine; all tests of one run share a snapshot. */
export const wasmTarget: EngineTarget = {
  name: "wasm",
  kind: "wasm",
  create: () =>
    Promise.resolve(
      new WasmEngine({
        cacheDir,
        denoEnv: loadDenoEnvironment(),
        log: createLogger("error"),
      }),
    ),
};

/** Every engine with a real interpreter. */
export const targets: readonly EngineTarget[] = [wasmTarget, ...await findContainerTargets()];

async function testCacheDir(): Promise<string> {
  const base = Deno.env.get("TMPDIR") ?? Deno.env.get("TEMP") ?? "/tmp";
  const folder = `${base}/mcp-bridge-test-cache-${Deno.uid() ?? "user"}`;
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
