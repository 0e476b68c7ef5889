/**
 * The embedded engine: Pyodide in a locked child process. Needs no network, container, Python or files
 * of the host, and starts from a snapshot that repairs itself.
 */
import { abortable } from "@std/async/abortable";
import { AppError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import type { Engine, Sandbox, StartOptions } from "../engine.ts";
import type { LimitReport, SandboxPolicy } from "../policy.ts";
import { EXIT_INTERPRETER_DIED, EXIT_SNAPSHOT_DAMAGED } from "./child/protocol.ts";
import { cacheChildModules, spawnChild } from "./child_process.ts";
import { SnapshotCache } from "./snapshot_cache.ts";
import { WasmSandbox } from "./wasm_sandbox.ts";

const START_TIMEOUT_MS = 60_000;
const BUILD_TIMEOUT_MS = 120_000;

/** Exit codes of a child that found its snapshot damaged, or could not boot from it. */
const SIGNS_OF_DAMAGE: readonly number[] = [EXIT_SNAPSHOT_DAMAGED, EXIT_INTERPRETER_DIED];

/** Options of {@link WasmEngine}. */
export interface WasmEngineOptions {
  /** Folder for the snapshot; without one every sandbox boots from scratch. */
  cacheDir: string | undefined;
  /** Variables that Deno needs to find its module cache. */
  denoEnv: Readonly<Record<string, string>>;
  log: Logger;
  /** @default 60_000 */
  startTimeoutMs?: number;
}

/** A child that did not come to `ready`. */
interface FailedStart {
  /** `damaged`: no interpreter can be made of the snapshot. `slow`: it was not waited for any longer. */
  kind: "damaged" | "slow" | "failed";
  reason: string;
}

/** Makes sandboxes out of Pyodide. */
export class WasmEngine implements Engine {
  readonly name = "wasm";
  readonly limits: LimitReport = {
    memoryBytes: "enforced",
    pids: "not applicable",
    cpus: "not enforceable here",
    user: "not applicable",
    tmpBytes: "not applicable",
    workspaceBytes: "not applicable",
    systemCalls: "not applicable",
  };
  readonly #options: WasmEngineOptions;
  readonly #snapshots: SnapshotCache;

  constructor(options: WasmEngineOptions) {
    this.#options = options;
    const { cacheDir, log } = options;
    this.#snapshots = new SnapshotCache({
      folder: cacheDir === undefined ? undefined : `${cacheDir}/wasm`,
      build: () => this.#buildSnapshot(),
      log,
    });
  }

  async start(policy: SandboxPolicy, options: StartOptions = {}): Promise<Sandbox> {
    const { signal } = options;
    const first = await this.#boot(policy, await this.#findSnapshot(options), signal);
    if (first instanceof WasmSandbox) return first;
    if (first.kind === "slow") throw this.#toError(first);
    const mended = this.#mend(first);
    await (signal === undefined ? mended : abortable(mended, signal));
    const second = await this.#boot(policy, await this.#findSnapshot(options), signal);
    if (second instanceof WasmSandbox) return second;
    throw this.#toError(second);
  }

  #findSnapshot({ signal, onProgress }: StartOptions): Promise<string | undefined> {
    const found = this.#snapshots.ensure(() =>
      onProgress?.("Preparing Python for its first start")
    );
    return signal === undefined ? found : abortable(found, signal);
  }

  /** Removes the likely cause, so that the next start can succeed. */
  async #mend({ kind, reason }: FailedStart): Promise<void> {
    const { log } = this.#options;
    if (kind === "damaged") {
      log.warn(`A sandbox did not start, so its snapshot is built anew: ${reason}`);
      await this.#snapshots.rebuild();
    } else {
      log.warn(`A sandbox did not start, so its modules are looked for: ${reason}`);
      await this.#cacheModules();
    }
  }

  #toError({ kind, reason }: FailedStart): AppError {
    this.#options.log.error(`A sandbox did not start: ${reason}`);
    return kind === "slow"
      ? new AppError(`Cannot start the embedded Python in time: ${reason}`, {
        hint: "The machine is busy: try again",
      })
      : new AppError("Cannot start the embedded Python", {
        hint: "The server's log on stderr has the reason",
      });
  }

  /** Starts a child and waits for its `ready`; nothing is left of one that does not come to it. */
  async #boot(
    policy: SandboxPolicy,
    snapshotPath: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<WasmSandbox | FailedStart> {
    signal?.throwIfAborted();
    const { memoryBytes } = policy;
    const { denoEnv, startTimeoutMs = START_TIMEOUT_MS } = this.#options;
    const child = spawnChild(
      snapshotPath === undefined
        ? { mode: "plain", memoryBytes, denoEnv }
        : { mode: "snapshot", snapshotPath, memoryBytes, denoEnv },
    );
    const sandbox = new WasmSandbox(child, memoryBytes);
    const timeout = AbortSignal.timeout(startTimeoutMs);
    const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const kill = () => void sandbox[Symbol.asyncDispose]();
    stop.addEventListener("abort", kill, { once: true });
    const started = await Promise.race([
      new Promise<true>((resolve) => {
        sandbox.channel.listen((message) => message.type === "ready" && resolve(true));
      }),
      sandbox.exited,
    ]);
    stop.removeEventListener("abort", kill);
    signal?.throwIfAborted();
    if (started === true) return sandbox;
    if (timeout.aborted) {
      return { kind: "slow", reason: `it was not ready within ${startTimeoutMs / 1000}s` };
    }
    const tail = sandbox.stderrTail.trim();
    const { code } = await child.status;
    return {
      kind: SIGNS_OF_DAMAGE.includes(code) ? "damaged" : "failed",
      reason: tail === "" ? started.detail : `${started.detail}\n${tail}`,
    };
  }

  async #cacheModules(): Promise<void> {
    const { success, stderr } = await cacheChildModules();
    if (success) return;
    this.#options.log.error(`Cannot fetch the modules of the embedded Python: ${stderr.trim()}`);
    throw new AppError("Cannot fetch the modules of the embedded Python", {
      hint: "Connect to the network once; they are kept afterwards",
    });
  }

  async #buildSnapshot(): Promise<Uint8Array<ArrayBuffer>> {
    await this.#cacheModules();
    this.#options.log.info("Building the Python snapshot; this happens once per version");
    const child = spawnChild({ mode: "build", denoEnv: this.#options.denoEnv });
    const timer = setTimeout(() => child.kill("SIGKILL"), BUILD_TIMEOUT_MS);
    const { success, stdout, stderr } = await child.output();
    clearTimeout(timer);
    if (success && stdout.length > 0) return stdout;
    this.#options.log.error(new TextDecoder().decode(stderr).trim());
    throw new AppError("Cannot build the snapshot of the embedded Python", {
      hint: "The server's log on stderr has the reason",
    });
  }
}
