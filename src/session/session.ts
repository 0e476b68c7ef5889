/**
 * One client and its sandbox. Starts the sandbox on the first run, keeps it between runs, replaces it
 * when it is gone, and lets only one run in at a time.
 */
import type { ForRun, RunReach } from "../downstream/for_run.ts";
import type { RpcRouter } from "../rpc/router.ts";
import { toServerMetadata } from "../rpc/run_servers.ts";
import { AppError, toAppError } from "../shared/errors.ts";
import { describeFault } from "../shared/faults.ts";
import type { Logger } from "../shared/log.ts";
import { RunHistory } from "../store/runs/run_history.ts";
import type { RunStore } from "../store/runs/run_store.ts";
import type { ServerMetadata } from "../wire/messages.ts";
import { Run, type RunEnd } from "./run.ts";
import { failedRun, type RunResult, VARIABLES_GONE } from "./run_result.ts";
import type { Runner, RunRequest } from "./run_request.ts";
import { type KeeperOptions, type KeptSandbox, SandboxKeeper } from "./sandbox_keeper.ts";
import { cancelledRun, toRunResult } from "./to_run_result.ts";

/** What a session works with. */
export interface SessionOptions extends KeeperOptions {
  /** Whether variables live on between runs. */
  state: "persistent" | "fresh";
  maxOutputChars: number;
  /** The longest time limit a run can have. */
  maxTimeoutSeconds: number;
  /** How long a run may wait for answers of the client without losing its own time. */
  maxAskMs: number;
  /** Answers requests of sandboxes; asked for with the first of a run. */
  loadRouter: () => Promise<RpcRouter>;
  /** The user's servers, for one run. */
  forRun: ForRun;
  /** Its past runs: no other session's. */
  runs: RunStore;
  /** Told of errors that nobody foresaw. @default nobody */
  log?: Logger;
}

/** A run that waits for the ones before it. */
interface Turn {
  request: RunRequest;
  run: Run;
  reach: RunReach;
}

/** Runs code for one client. */
export class Session implements Runner, AsyncDisposable {
  /** Names it inside this process; no secret. */
  readonly id = crypto.randomUUID();
  readonly #options: SessionOptions;
  readonly #sandboxes: SandboxKeeper;
  readonly #history: RunHistory;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#sandboxes = new SandboxKeeper(options);
    this.#history = new RunHistory(options.runs);
  }

  /** Files of its past runs. */
  get runs(): RunStore {
    return this.#options.runs;
  }

  async run(request: RunRequest): Promise<RunResult> {
    const run = new Run(request, this.#options.maxAskMs);
    let reach: RunReach;
    try {
      reach = await this.#options.forRun(run.scope);
    } catch (error) {
      return this.#toFailure(error, request);
    }
    const turn = this.#queue.then(() => this.#takeTurn({ request, run, reach }));
    this.#queue = turn;
    const { signal } = request;
    if (signal === undefined) return await turn;
    // A run that is cancelled while it waits for its turn, or for the sandbox, is answered at once.
    return await Promise.race([
      turn,
      cancelledBeforeStart(signal, () => this.#running === request),
    ]);
  }

  /** The request whose code is running now. */
  #running: RunRequest | undefined;

  async #takeTurn(turn: Turn): Promise<RunResult> {
    const { request, reach } = turn;
    try {
      if (request.signal?.aborted || this.#closed) return cancelledRun(request);
      // Servers start while the sandbox does; the clock of the run starts after both.
      const [servers, early] = await Promise.all([
        loadServers(reach, request.signal ?? NEVER),
        this.#hold(request),
      ]);
      if (request.signal?.aborted) return cancelledRun(request);
      const failures = servers.filter(({ error }) => error !== undefined).map(describeFailure);
      if (failures.length > 0 && failures.length === servers.length) {
        return failedRun("error", failures.join("\n"), request.servers);
      }
      // Servers may take long to load, and this run has not begun: it can have another sandbox.
      const kept = early.gone ? await this.#hold(request) : early;
      kept.busy = true;
      this.#running = request;
      const { notes, ...result } = await this.#runIn(kept, turn, servers)
        .finally(() => kept.busy = false);
      return {
        ...result,
        notes: [...await this.#notesBefore(kept, result), ...failures, ...notes],
      };
    } catch (error) {
      return this.#toFailure(error, request);
    } finally {
      this.#running = undefined;
    }
  }

  #toFailure(error: unknown, request: RunRequest): RunResult {
    if (this.#closed) return cancelledRun(request);
    if (!(error instanceof AppError)) this.#options.log?.error(describeFault("running", error));
    const { message, hint } = toAppError(error);
    const notes = hint === undefined ? [] : [`hint: ${hint}`];
    return failedRun("error", message, request.servers, notes);
  }

  async #runIn(
    kept: KeptSandbox,
    { request, run, reach }: Turn,
    servers: ServerMetadata[],
  ): Promise<RunResult> {
    const { loadRouter, runs, maxOutputChars, maxTimeoutSeconds, state, log } = this.#options;
    const { sandbox, exit, engine, briefing } = kept;
    const files = runs.newRun();
    const history = this.#history;
    kept.used = true;
    const end = await run.execute({
      sandbox,
      exit,
      loadRouter,
      reach,
      told: briefing.next(servers, reach.discovered),
      files,
      history,
      maxOutputChars,
      log,
    });
    // What a run was told that did not get so far is told again: the runtime takes each but once.
    if (hasBegun(end)) briefing.taken();
    // What was over the budget is in the store already, so these are whole where they are written.
    const { stdout, stderr } = end.output;
    runs.keep(files, { code: request.code, stdout, stderr });
    history.add(files.run);
    const isKept = end.lost === undefined && state === "persistent";
    if (!isKept) await this.#sandboxes.release(kept);
    return toRunResult(request, end, {
      engine: engine.name,
      unenforced: kept.unenforced,
      kept: isKept,
      maxTimeoutSeconds,
    });
  }

  /** What a result says of what was before it; a cancelled one is not read by anybody. */
  async #notesBefore(kept: KeptSandbox, { status }: Pick<RunResult, "status">) {
    const notes = kept.notes.splice(0);
    const lost = status === "cancelled" ? undefined : await this.#sandboxes.takeLoss();
    return lost === undefined
      ? notes
      : [`${VARIABLES_GONE}: between two runs ${lost.detail}`, ...notes];
  }

  async #hold(request: RunRequest): Promise<KeptSandbox> {
    const startedAt = performance.now();
    return await this.#sandboxes.hold((message) => {
      request.onProgress?.({ elapsedSeconds: (performance.now() - startedAt) / 1000, message });
    });
  }

  /** Stops what is running and frees the sandbox. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#sandboxes[Symbol.asyncDispose]();
    await this.#options.runs.settled();
  }
}

const NEVER = new AbortController().signal;

/** Whether the code of a run was reached for certain; one that failed may have been refused before it. */
function hasBegun({ done }: RunEnd): boolean {
  return done?.status === "ok" || done?.status === "exit";
}

async function loadServers(reach: RunReach, signal: AbortSignal): Promise<ServerMetadata[]> {
  return await Promise.all((await reach.load(signal)).map(toServerMetadata));
}

function describeFailure({ name, error }: ServerMetadata): string {
  return `Server '${name}' is not available: ${error}`;
}

function cancelledBeforeStart(signal: AbortSignal, isRunning: () => boolean): Promise<RunResult> {
  return new Promise((resolve) => {
    const onAbort = () => {
      if (!isRunning()) resolve(cancelledRun({ servers: [] }));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
