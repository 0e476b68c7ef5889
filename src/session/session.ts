/**
 * One client and its sandbox. Starts the sandbox on the first run, keeps it between runs, replaces it
 * when it is gone, and lets only one run in at a time.
 */
import type { Engine, Sandbox, SandboxExit } from "../engine/engine.ts";
import { type SandboxPolicy, unenforcedLimits } from "../engine/policy.ts";
import type { RpcRouter } from "../rpc/router.ts";
import type { RunServerLoader, RunServers } from "../rpc/run_servers.ts";
import { AppError, describeError, toAppError } from "../shared/errors.ts";
import { describeFault } from "../shared/faults.ts";
import type { Logger } from "../shared/log.ts";
import { RunHistory } from "../store/runs/run_history.ts";
import type { RunStore } from "../store/runs/run_store.ts";
import type { SavedToolSource } from "../wire/messages.ts";
import { ExitWatch } from "./exit_watch.ts";
import { execute, type RunEnd } from "./run.ts";
import { failedRun, type RunResult, VARIABLES_GONE } from "./run_result.ts";
import type { Runner, RunRequest } from "./run_request.ts";
import { cancelledRun, toRunResult } from "./to_run_result.ts";

/** What a session works with. */
export interface SessionOptions {
  /** The engine; asked whenever a sandbox is started, and one that failed may be there by then. */
  engine: () => Promise<Engine>;
  policy: SandboxPolicy;
  /** Whether variables live on between runs. */
  state: "persistent" | "fresh";
  maxOutputChars: number;
  /** The longest time limit a run can have. */
  maxTimeoutSeconds: number;
  /** How long a run may wait for answers of the client without losing its own time. */
  maxAskMs: number;
  rpc: RpcRouter;
  /** Loads the servers a run names. */
  loadServers: RunServerLoader;
  /** Functions that earlier sessions saved; asked for each new sandbox. @default none */
  savedTools?: () => Promise<SavedToolSource[]>;
  runs: RunStore;
  /** Told of errors that nobody foresaw. @default nobody */
  log?: Logger;
}

/** A sandbox with what the session must remember of it. */
interface Held {
  engine: Engine;
  sandbox: Sandbox;
  exit: ExitWatch;
  /** What its runs are told of saved tools, until one has begun and so has them. */
  saved: { tools: SavedToolSource[]; notes: string[] };
  /** Whether code has run in it, so that there can be variables to lose. */
  used: boolean;
  /** Whether it has ended, or is about to: nothing can be run in it. */
  gone: boolean;
}

/** Runs code for one client. */
export class Session implements Runner, AsyncDisposable {
  readonly #options: SessionOptions;
  readonly #history: RunHistory;
  #queue: Promise<unknown> = Promise.resolve();
  #starting: Promise<Held> | undefined;
  #current: Held | undefined;
  /** How the sandbox with the variables of earlier runs ended, until a result has said so. */
  #lostBetweenRuns: Promise<SandboxExit> | undefined;
  readonly #closing = new AbortController();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#history = new RunHistory(options.runs);
  }

  run(request: RunRequest): Promise<RunResult> {
    const turn = this.#queue.then(() => this.#takeTurn(request));
    this.#queue = turn;
    const { signal } = request;
    if (signal === undefined) return turn;
    // A run that is cancelled while it waits for its turn, or for the sandbox, is answered at once.
    return Promise.race([turn, cancelledBeforeStart(signal, () => this.#running === request)]);
  }

  /** The request whose code is running now. */
  #running: RunRequest | undefined;

  async #takeTurn(request: RunRequest): Promise<RunResult> {
    try {
      if (request.signal?.aborted || this.#closing.signal.aborted) return cancelledRun(request);
      // Servers start while the sandbox does; the clock of the run starts after both.
      const [servers, early] = await Promise.all([this.#load(request), this.#hold(request)]);
      if (request.signal?.aborted) return cancelledRun(request);
      const { failures } = servers;
      if (failures.length > 0 && failures.length === request.servers.length) {
        return failedRun("error", describeFailures(failures), request.servers);
      }
      // Servers may take long to load, and this run has not begun: it can have another sandbox.
      const held = early.gone ? await this.#hold(request) : early;
      this.#running = request;
      return await this.#runIn(held, request, servers);
    } catch (error) {
      if (this.#closing.signal.aborted) return cancelledRun(request);
      if (!(error instanceof AppError)) this.#options.log?.error(describeFault("running", error));
      const { message, hint } = toAppError(error);
      return failedRun(
        "error",
        message,
        request.servers,
        hint === undefined ? [] : [`hint: ${hint}`],
      );
    } finally {
      this.#running = undefined;
    }
  }

  #load(request: RunRequest): Promise<RunServers> {
    const { servers, signal = NEVER, asker } = request;
    return this.#options.loadServers(servers, signal, asker);
  }

  async #runIn(held: Held, request: RunRequest, servers: RunServers): Promise<RunResult> {
    const { rpc, runs, maxOutputChars, maxAskMs, maxTimeoutSeconds, state, log } = this.#options;
    const { sandbox, exit, engine, saved } = held;
    const files = runs.newRun();
    const history = this.#history;
    const limits = { maxOutputChars, maxAskMs };
    const deps = {
      sandbox,
      exit,
      rpc,
      servers,
      savedTools: saved.tools,
      files,
      history,
      ...limits,
      log,
    };
    held.used = true;
    const end = await execute(request, deps);
    // Sent to a run that did not get so far, they are sent again: the runtime takes each but once.
    held.saved = { tools: hasBegun(end) ? [] : saved.tools, notes: [] };
    // What was over the budget is in the store already, so these are whole where they are written.
    const { stdout, stderr } = end.output;
    runs.keep(files, { code: request.code, stdout, stderr });
    history.add(files.run);
    const keep = end.lost === undefined && state === "persistent";
    if (!keep) await this.#release(held);
    const unenforced = unenforcedLimits(engine.limits, this.#options.policy);
    const told = { engine: engine.name, unenforced, kept: keep, maxTimeoutSeconds };
    const result = toRunResult(request, end, told);
    const failures = servers.failures.map((failure) => describeFailures([failure]));
    const before = [...await this.#lostBefore(result), ...saved.notes, ...failures];
    return before.length === 0 ? result : { ...result, notes: [...before, ...result.notes] };
  }

  /** What a result says of the sandbox before; a cancelled one is not read by anybody. */
  async #lostBefore({ status }: RunResult): Promise<string[]> {
    const lost = this.#lostBetweenRuns;
    if (lost === undefined || status === "cancelled") return [];
    this.#lostBetweenRuns = undefined;
    return [`${VARIABLES_GONE}: between two runs ${(await lost).detail}`];
  }

  /** The sandbox to run in, started if there is none. */
  async #hold(request: RunRequest): Promise<Held> {
    if (this.#current !== undefined) return this.#current;
    this.#starting ??= this.#start(request).finally(() => this.#starting = undefined);
    return await this.#starting;
  }

  async #start(request: RunRequest): Promise<Held> {
    const engine = await this.#options.engine();
    const startedAt = performance.now();
    const saving = this.#loadSaved();
    const sandbox = await engine.start(this.#options.policy, {
      signal: this.#closing.signal,
      onProgress: (message) => {
        request.onProgress?.({ elapsedSeconds: (performance.now() - startedAt) / 1000, message });
      },
    });
    const exit = new ExitWatch(sandbox.exited);
    const held: Held = { engine, sandbox, exit, saved: await saving, used: false, gone: false };
    this.#current = held;
    // A container is removed before it counts as ended; its channel tells earlier.
    void Promise.race([sandbox.exited, sandbox.channel.closed]).then(() => {
      held.gone = true;
      if (this.#current !== held) return;
      this.#current = undefined;
      if (this.#running === undefined && held.used) this.#lostBetweenRuns = sandbox.exited;
    });
    if (this.#closing.signal.aborted) await this.#release(held);
    return held;
  }

  /** Reads them while the sandbox starts; without them it still runs code. */
  async #loadSaved(): Promise<Held["saved"]> {
    try {
      return { tools: await this.#options.savedTools?.() ?? [], notes: [] };
    } catch (error) {
      return { tools: [], notes: [`Saved tools are not there: ${describeError(error)}`] };
    }
  }

  async #release(held: Held): Promise<void> {
    if (this.#current === held) this.#current = undefined;
    await held.sandbox[Symbol.asyncDispose]();
  }

  /** Stops what is running and frees the sandbox. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    if (this.#current !== undefined) await this.#release(this.#current);
    await this.#starting?.catch(() => {});
    await this.#options.runs.settled();
  }
}

const NEVER = new AbortController().signal;

/** Whether the code of a run was reached for certain; one that failed may have been refused before it. */
function hasBegun({ done }: RunEnd): boolean {
  return done?.status === "ok" || done?.status === "exit";
}

function describeFailures(failures: RunServers["failures"]): string {
  return failures.map(({ name, message }) => `Server '${name}' is not available: ${message}`)
    .join("\n");
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
