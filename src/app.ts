/** Puts the parts together. The only file that knows every engine; tests build it with one of their own. */
import type { Config } from "./config/schema.ts";
import type { ReadVariable } from "./config/variable.ts";
import type { Downstream } from "./downstream/downstream.ts";
import type { Engine } from "./engine/engine.ts";
import { DEFAULT_POLICY, type SandboxPolicy } from "./engine/policy.ts";
import { createRpcRouter } from "./rpc/router.ts";
import { createRunServerLoader } from "./rpc/run_servers.ts";
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
  /** Looks up a variable of the environment. */
  readVariable: ReadVariable;
  /** Chooses the engine. @default by the settings */
  engine?: () => Promise<Engine>;
  /** The user's servers. @default those that discovery finds */
  downstream?: Downstream;
}

/** Everything behind one stdio connection. */
export interface App extends AsyncDisposable {
  serverDeps: McpServerDeps;
}

/** Builds the app; nothing is started, and little is loaded, before the first run. */
export function createApp(config: Config, options: AppOptions): App {
  const runs = new RunStore(config.stateDir);
  const downstream = once(() =>
    options.downstream === undefined
      ? findDownstream(config, options)
      : Promise.resolve(options.downstream)
  );
  const session = new Session({
    engine: options.engine ?? (() => chooseEngine(config, options)),
    policy: toPolicy(config),
    state: config.state,
    maxOutputChars: config.maxOutputChars,
    rpc: async (payload, context) =>
      await createRpcRouter(await downstream.get())(payload, context),
    loadServers: async (names, signal) =>
      await createRunServerLoader(await downstream.get())(names, signal),
    runs,
  });
  const known = async () => (await (await downstream.get()).servers()).map(({ name }) => name);
  return {
    serverDeps: { runner: session, directory: { known }, artifacts: runs, config },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await (await downstream.started)?.[Symbol.asyncDispose]();
    },
  };
}

/** A value that is made when it is first asked for. */
function once<T>(
  make: () => Promise<T>,
): { get(): Promise<T>; readonly started: Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  return {
    get: () => made ??= make(),
    get started() {
      return made;
    },
  };
}

async function findDownstream(config: Config, options: AppOptions): Promise<Downstream> {
  const { log, readVariable } = options;
  const [{ createDownstream }, { inheritedVariables }, { createServerDiscovery }, { ownFiles }] =
    await Promise.all([
      import("./downstream/create_downstream.ts"),
      import("./downstream/server_environment.ts"),
      import("./discovery/server_discovery.ts"),
      import("./discovery/own_files.ts"),
    ]);
  const discovery = createServerDiscovery(config, {
    cwd: Deno.cwd(),
    readVariable,
    ownFiles: ownFiles(),
  });
  const env = Object.fromEntries(
    inheritedVariables(Deno.build.os).map((name) => {
      const value = readVariable(name);
      return [name, typeof value === "string" ? value : undefined];
    }),
  );
  const cacheDir = config.cacheDir === undefined ? undefined : `${config.cacheDir}/catalogs`;
  return createDownstream({ discovery, cacheDir, log, env });
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
