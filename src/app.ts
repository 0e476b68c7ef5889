/** Puts the parts together. The only file that knows every engine; tests build it with one of their own. */
import type { Config } from "./config/schema.ts";
import type { ReadVariable } from "./config/variable.ts";
import type { Downstream } from "./downstream/downstream.ts";
import type { Engine } from "./engine/engine.ts";
import { DEFAULT_POLICY, type SandboxPolicy, unenforcedLimits } from "./engine/policy.ts";
import type { RpcDeps } from "./rpc/router.ts";
import type { McpServerDeps } from "./server/mcp_server.ts";
import { ParkedRuns } from "./server/questions/parked_runs.ts";
import { Session, type SessionOptions } from "./session/session.ts";
import { SessionStore } from "./session/session_store.ts";
import { AppError } from "./shared/errors.ts";
import type { Logger } from "./shared/log.ts";
import { once } from "./shared/once.ts";
import type { RunStore } from "./store/runs/run_store.ts";

/** What the app is made of besides its settings. */
export interface AppOptions {
  log: Logger;
  /** Variables that Deno needs to find its module cache. */
  denoEnv: Readonly<Record<string, string>>;
  /** The folder it was started in, where temporary files go, and where docker is. */
  system: { cwd: string; tempDir: string; dockerHost?: string };
  /** Looks up a variable of the environment. */
  readVariable: ReadVariable;
  /** Chooses the engine. @default by the settings */
  engine?: () => Promise<Engine>;
  /** The user's servers. @default those that discovery finds */
  downstream?: Downstream;
}

/** What all sessions share, and the sessions. */
export interface App extends AsyncDisposable {
  readonly sessions: SessionStore;
  /** What a connection needs to serve a session. */
  serve(session: Session): McpServerDeps;
}

/** Builds the app; nothing is started, and little is loaded, before the first run. */
export function createApp(config: Config, options: AppOptions): App {
  const downstream = once(() =>
    options.downstream === undefined
      ? findDownstream(config, options)
      : Promise.resolve(options.downstream)
  );
  const kept = keptThings(config.stateDir);
  const router = once(async () => {
    const { createRpcRouter } = await import("./rpc/router.ts");
    return createRpcRouter(kept);
  });
  const reach = once(async () => {
    const { forRun } = await import("./downstream/for_run.ts");
    return forRun(await downstream.get());
  });
  const closing = new AbortController();
  const engine = once(options.engine ?? (() => chooseEngine(config, options, closing.signal)));
  const maxAskMs = config.askTimeoutSeconds * 1000;
  const shared: Omit<SessionOptions, "runs"> = {
    engine: () => engine.get(),
    policy: toPolicy(config),
    state: config.state,
    maxOutputChars: config.maxOutputChars,
    maxTimeoutSeconds: config.maxTimeoutSeconds,
    maxAskMs,
    loadRouter: () => router.get(),
    forRun: async (scope) => await (await reach.get())(scope),
    savedTools: async () => await (await kept.savedTools?.())?.sources() ?? [],
    log: options.log,
  };
  const sessions = new SessionStore({
    stateDir: config.stateDir,
    create: (runs: RunStore) => new Session({ ...shared, runs }),
  });
  const parked = new ParkedRuns({ maxAskMs });
  return {
    sessions,
    serve: (session) => ({
      runner: session,
      session: session.id,
      artifacts: session.runs,
      parked,
      config,
    }),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await sessions[Symbol.asyncDispose]();
      await Promise.all([downstream.started, engine.started].map(async (started) => {
        // One that could not be made has nothing to end.
        const part = await started?.catch(() => undefined);
        await (part as Partial<AsyncDisposable> | undefined)?.[Symbol.asyncDispose]?.();
      }));
    },
  };
}

/** The stores that a run may ask for; their code is loaded with the first such request. */
function keptThings(stateDir: string | undefined): Pick<RpcDeps, "memory" | "savedTools"> {
  if (stateDir === undefined) return {};
  const memory = once(async () => {
    const { MemoryStore } = await import("./store/records/memory_store.ts");
    return new MemoryStore(stateDir);
  });
  const savedTools = once(async () => {
    const { SavedToolStore } = await import("./store/records/saved_tool_store.ts");
    return new SavedToolStore(stateDir);
  });
  return { memory: memory.get, savedTools: savedTools.get };
}

async function findDownstream(config: Config, options: AppOptions): Promise<Downstream> {
  const { log, readVariable } = options;
  const [
    { createDownstream },
    { inheritedVariables },
    { createServerDiscovery },
    { ownFiles },
    { shareLooks },
  ] = await Promise.all([
    import("./downstream/create_downstream.ts"),
    import("./downstream/transport/server_environment.ts"),
    import("./discovery/server_discovery.ts"),
    import("./discovery/self_server.ts"),
    import("./discovery/server_discovery.ts"),
  ]);
  const discovery = createServerDiscovery(config, {
    // Of the start: by now it may have been removed.
    cwd: options.system.cwd,
    readVariable,
    ownFiles: ownFiles(),
  });
  const env = Object.fromEntries(
    inheritedVariables(Deno.build.os).map((name) => {
      const value = readVariable(name);
      return [name, typeof value === "string" ? value : undefined];
    }),
  );
  return createDownstream({
    discovery: shareLooks(discovery),
    cacheDir: config.cacheDir,
    log,
    env,
    idleSeconds: config.serverIdleTimeoutSeconds,
    startTimeoutSeconds: config.serverStartTimeoutSeconds,
  });
}

/** The engine the settings ask for; its code is loaded only now. */
async function chooseEngine(
  config: Config,
  options: AppOptions,
  signal: AbortSignal,
): Promise<Engine> {
  const engine = await makeEngine(config, options, signal);
  const unenforced = unenforcedLimits(engine.limits, toPolicy(config));
  if (unenforced.length > 0) {
    options.log.warn(`The engine "${engine.name}" cannot hold here: ${unenforced.join(", ")}`);
  }
  return engine;
}

async function makeEngine(
  config: Config,
  options: AppOptions,
  signal: AbortSignal,
): Promise<Engine> {
  if (config.engine === "wasm") {
    refuseForWasm(config);
    return await makeWasmEngine(config, options);
  }
  const { createContainerEngine } = await import("./engine/container/create_container_engine.ts");
  const container = await createContainerEngine({
    engine: config.engine,
    runtime: config.runtime,
    image: config.image,
    explicitLimits: explicitLimits(config),
    tempDir: options.system.tempDir,
    dockerHost: options.system.dockerHost,
    machineIdleTimeoutMs: config.runtimeIdleTimeoutSeconds * 1000,
    onProgress: (message) => options.log.info(message),
    onWarning: (message) => options.log.warn(message),
    signal,
  });
  if (container !== undefined) return container;
  refuseForWasm(config);
  return await makeWasmEngine(config, options);
}

async function makeWasmEngine(config: Config, { denoEnv, log }: AppOptions): Promise<Engine> {
  const { WasmEngine } = await import("./engine/wasm/wasm_engine.ts");
  return new WasmEngine({ cacheDir: config.cacheDir, denoEnv, log });
}

/** What the operator set and the embedded engine cannot do stops the start. */
function refuseForWasm(config: Config): void {
  if (config.runtime !== undefined) {
    throw new AppError("MCP_BRIDGE_RUNTIME names a container CLI, but the engine is wasm", {
      code: "config",
      hint: "Unset it, or set MCP_BRIDGE_ENGINE to auto, podman or docker",
    });
  }
  if (config.cpus !== undefined) {
    throw new AppError("Cannot hold MCP_BRIDGE_CPUS: the embedded engine does not enforce it", {
      code: "config",
      hint: "Unset it, or use podman or docker",
    });
  }
}

/** Setting → limit of the policy. */
const LIMIT_OF_SETTING: ReadonlyArray<[keyof Config, keyof SandboxPolicy]> = [
  ["memoryBytes", "memoryBytes"],
  ["pids", "pids"],
  ["cpus", "cpus"],
  ["containerUser", "user"],
];

function explicitLimits({ explicit }: Config): ReadonlySet<keyof SandboxPolicy> {
  const set = LIMIT_OF_SETTING.filter(([setting]) =>
    (explicit as ReadonlySet<string>).has(setting)
  );
  return new Set(set.map(([, limit]) => limit));
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
