/** Puts the parts together. The only file that knows every engine; tests build it with one of their own. */
import type { Config } from "./config/schema.ts";
import type { Engine } from "./engine/engine.ts";
import { DEFAULT_POLICY, type SandboxPolicy } from "./engine/policy.ts";
import { createRpcRouter } from "./rpc/router.ts";
import type { McpServerDeps } from "./server/mcp_server.ts";
import { Session } from "./session/session.ts";
import { AppError } from "./shared/errors.ts";
import type { Logger } from "./shared/log.ts";
import { RunStore } from "./store/run_store.ts";

/** What the app is made of besides its settings. */
export interface AppOptions {
  log: Logger;
  /** Variables that Deno needs to find its module cache. */
  denoEnv: Readonly<Record<string, string>>;
  /** Chooses the engine. @default by the settings */
  engine?: () => Promise<Engine>;
}

/** Everything behind one stdio connection. */
export interface App extends AsyncDisposable {
  serverDeps: McpServerDeps;
}

/** Builds the app; nothing is started before the first run. */
export function createApp(config: Config, options: AppOptions): App {
  const runs = new RunStore(config.stateDir);
  const session = new Session({
    engine: options.engine ?? (() => chooseEngine(config, options)),
    policy: toPolicy(config),
    state: config.state,
    maxOutputChars: config.maxOutputChars,
    rpc: createRpcRouter(),
    runs,
  });
  return {
    serverDeps: { runner: session, directory: { known: () => [] }, artifacts: runs, config },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** The engine the settings ask for; its code is loaded only now. */
async function chooseEngine(config: Config, options: AppOptions): Promise<Engine> {
  if (config.engine === "podman" || config.engine === "docker") {
    throw new AppError("engine", `The engine "${config.engine}" is not part of this version`, {
      hint: "Set MCP_BRIDGE_ENGINE to wasm or auto",
    });
  }
  const { WasmEngine } = await import("./engine/wasm/wasm_engine.ts");
  return new WasmEngine({
    cacheDir: config.cacheDir,
    denoEnv: options.denoEnv,
    log: options.log,
  });
}

function toPolicy(config: Config): SandboxPolicy {
  return {
    ...DEFAULT_POLICY,
    memoryBytes: config.memoryBytes,
    pids: config.pids,
    user: config.containerUser,
    ...(config.cpus !== undefined && { cpus: config.cpus }),
  };
}
