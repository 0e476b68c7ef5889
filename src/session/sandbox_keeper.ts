/** The sandbox of one session: started when it is needed, kept between runs, replaced when it is gone. */
import type { Engine, Sandbox, SandboxExit } from "../engine/engine.ts";
import { type SandboxPolicy, unenforcedLimits } from "../engine/policy.ts";
import { describeError } from "../shared/errors.ts";
import type { SavedToolSource } from "../wire/messages.ts";
import { Briefing } from "./briefing.ts";

/** What sandboxes are made with. */
export interface KeeperOptions {
  /** The engine; asked whenever a sandbox is started, and one that failed may be there by then. */
  engine: () => Promise<Engine>;
  policy: SandboxPolicy;
  /** Functions that earlier sessions saved; asked for each new sandbox. @default none */
  savedTools?: (() => Promise<SavedToolSource[]>) | undefined;
}

/** A sandbox with what the session must remember of it. */
export interface KeptSandbox {
  readonly engine: Engine;
  /** Limits that it does not hold. */
  readonly unenforced: readonly string[];
  readonly sandbox: Sandbox;
  readonly exit: ExitWatch;
  /** What it has been told of. */
  readonly briefing: Briefing;
  /** What the answer to its first run has to say. */
  readonly notes: string[];
  /** Whether code has run in it, so that there can be variables to lose. */
  used: boolean;
  /** Whether a run is going on in it, which tells of its end itself. */
  busy: boolean;
  /** Whether it has ended, or is about to: nothing can be run in it. */
  gone: boolean;
}

/** Keeps at most one sandbox. */
export class SandboxKeeper implements AsyncDisposable {
  readonly #options: KeeperOptions;
  readonly #closing = new AbortController();
  #starting: Promise<KeptSandbox> | undefined;
  #current: KeptSandbox | undefined;
  /** How the sandbox with the variables of earlier runs ended, until somebody has taken it. */
  #lostBetweenRuns: Promise<SandboxExit> | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** The sandbox to run in, started if there is none. */
  async hold(onProgress: (message: string) => void): Promise<KeptSandbox> {
    if (this.#current !== undefined) return this.#current;
    this.#starting ??= this.#start(onProgress).finally(() => this.#starting = undefined);
    return await this.#starting;
  }

  /** Ends a sandbox; the next run has a new one. */
  async release(kept: KeptSandbox): Promise<void> {
    if (this.#current === kept) this.#current = undefined;
    await kept.sandbox[Symbol.asyncDispose]();
  }

  /** How variables were lost since the run before, told once. */
  async takeLoss(): Promise<SandboxExit | undefined> {
    const lost = this.#lostBetweenRuns;
    this.#lostBetweenRuns = undefined;
    return await lost;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    if (this.#current !== undefined) await this.release(this.#current);
    await this.#starting?.catch(() => {});
  }

  async #start(onProgress: (message: string) => void): Promise<KeptSandbox> {
    const { policy } = this.#options;
    const engine = await this.#options.engine();
    const saving = this.#loadSaved();
    const { signal } = this.#closing;
    const sandbox = await engine.start(policy, { signal, onProgress });
    const exit = new ExitWatch(sandbox.exited);
    const { tools, notes } = await saving;
    const kept: KeptSandbox = {
      engine,
      unenforced: unenforcedLimits(engine.limits, policy),
      sandbox,
      exit,
      briefing: new Briefing(tools),
      notes,
      used: false,
      busy: false,
      gone: false,
    };
    this.#current = kept;
    // A container is removed before it counts as ended; its channel tells earlier.
    void Promise.race([sandbox.exited, sandbox.channel.closed]).then(() => {
      kept.gone = true;
      if (this.#current !== kept) return;
      this.#current = undefined;
      if (!kept.busy && kept.used) this.#lostBetweenRuns = sandbox.exited;
    });
    if (signal.aborted) await this.release(kept);
    return kept;
  }

  /** Reads them while the sandbox starts; without them it still runs code. */
  async #loadSaved(): Promise<{ tools: SavedToolSource[]; notes: string[] }> {
    try {
      return { tools: await this.#options.savedTools?.() ?? [], notes: [] };
    } catch (error) {
      return { tools: [], notes: [`Saved tools are not there: ${describeError(error)}`] };
    }
  }
}

/** Watches one sandbox's end for whichever run is going on. */
export class ExitWatch {
  #exit: SandboxExit | undefined;
  #listener: ((exit: SandboxExit) => void) | undefined;

  constructor(exited: Promise<SandboxExit>) {
    void exited.then((exit) => {
      this.#exit = exit;
      this.#listener?.(exit);
    });
  }

  /** Resolves at the sandbox's end; a promise given out before never resolves then. */
  next(): Promise<SandboxExit> {
    if (this.#exit !== undefined) return Promise.resolve(this.#exit);
    return new Promise((resolve) => this.#listener = resolve);
  }
}
