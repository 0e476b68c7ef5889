/**
 * One run in a sandbox that is there: send the code, serve its requests, gather its output, stop it when
 * its time is over or the client gives up. Says how it ended and whether the sandbox outlived it.
 */
import type { RunReach, RunScope } from "../downstream/for_run.ts";
import type { Sandbox, SandboxExit } from "../engine/engine.ts";
import { limitDepth, toUnsentReply } from "../rpc/reply.ts";
import { RequestQueue } from "../rpc/request_queue.ts";
import type { RpcContext, RpcRouter } from "../rpc/router.ts";
import { settledWithin } from "../shared/deadline.ts";
import { describeError } from "../shared/errors.ts";
import { describeFault } from "../shared/faults.ts";
import type { Logger } from "../shared/log.ts";
import { PausableClock } from "../shared/pausable_clock.ts";
import type { Unread } from "../shared/byte_budget.ts";
import type { RunFiles } from "../store/runs/run_files.ts";
import type { RunHistory } from "../store/runs/run_history.ts";
import type { ExecutionDone, RpcPayload, SandboxMessage } from "../wire/messages.ts";
import type { RpcReply } from "../wire/rpc.ts";
import type { Told } from "./briefing.ts";
import type { ExitWatch } from "./sandbox_keeper.ts";
import { type CollectedOutput, OutputCollector } from "./output.ts";
import { ProgressReporter, RunQuestions } from "./run_dialogue.ts";
import type { ShownImage } from "./run_result.ts";
import type { RunRequest } from "./run_request.ts";
import { readShown } from "./shown_images.ts";

/** Time a program has to end after an interrupt before it is killed. */
const INTERRUPT_GRACE_MS = 2000;

/** Most lines that requests of one run can add to its answer. */
const MAX_SAID = 10;

/** What a run needs once there is a sandbox for it. */
export interface RunDeps {
  sandbox: Sandbox;
  /** Tells of the sandbox's end. */
  exit: ExitWatch;
  loadRouter: () => Promise<RpcRouter>;
  reach: RunReach;
  /** What its sandbox is told of with the code. */
  told: Told;
  files: RunFiles;
  /** Earlier runs of the session. */
  history: RunHistory;
  maxOutputChars: number;
  /** Told of errors that nobody foresaw. */
  log?: Logger | undefined;
}

/** All that a run leaves: what it printed, kept and showed. */
export type RunOutput = CollectedOutput & { images: ShownImage[] };

/** How a run ended. */
export interface RunEnd {
  output: RunOutput;
  /** Why it was stopped from outside, if it was. */
  stopped?: "timeout" | "cancelled";
  /** The program's own end; absent if the sandbox died or had to be killed. */
  done?: ExecutionDone;
  /** Why the sandbox is gone; absent if it lives on. */
  lost?: SandboxExit;
}

/** One `run_python` call, from the moment it is asked for. */
export class Run {
  readonly #request: RunRequest;
  readonly #over = new AbortController();
  readonly #clock: PausableClock;
  readonly #questions: RunQuestions;
  #progress: ProgressReporter | undefined;
  #unread: Unread | undefined;
  #endsAt = Infinity;
  /** What its requests to servers are bound to. */
  readonly scope: RunScope;

  /** `maxAskMs` is how long it may wait for answers of its client without losing its own time. */
  constructor(request: RunRequest, maxAskMs: number) {
    this.#request = request;
    this.#clock = new PausableClock(maxAskMs);
    this.#questions = new RunQuestions(this.#clock, (asked) => this.#progress?.announce(asked));
    this.scope = {
      servers: request.servers,
      signal: this.#over.signal,
      remainingMs: () => Math.max(1, this.#endsAt - this.#clock.now()),
      asker: request.asker && this.#questions.through(request.asker),
      clock: this.#clock,
      unread: () => this.#unread,
      onCall: (label) => this.#progress?.report(label),
    };
  }

  /** Runs the code to its end; its time begins now. Never rejects. */
  async execute(deps: RunDeps): Promise<RunEnd> {
    const { sandbox, reach } = deps;
    using files = deps.files;
    const output = new OutputCollector(deps.maxOutputChars, files);
    const progress = new ProgressReporter(
      this.#request,
      () => this.#questions.open ?? output.lastLine,
    );
    this.#progress = progress;
    this.#unread = sandbox.channel.unread;
    const id = crypto.randomUUID();
    const ended = Promise.withResolvers<End>();
    const requests = new RequestQueue(sandbox.channel);
    const said = new Set<string>();
    this.#endsAt = this.#clock.now() + this.#request.timeoutSeconds * 1000;
    const context: RpcContext = {
      reach,
      files,
      history: deps.history,
      onNote: (line) => said.size < MAX_SAID ? said.add(line) : undefined,
    };
    let router: Promise<RpcRouter> | undefined;
    const ask = async (payload: RpcPayload) =>
      await (await (router ??= deps.loadRouter()))(payload, context);
    sandbox.channel.listen((message, bytes) => {
      if (message.type === "rpc_request") {
        const tooMany = requests.push(bytes, () => answer(message, deps, ask));
        if (tooMany !== undefined) ended.resolve({ lost: { reason: "crashed", detail: tooMany } });
        // SECURITY: session boundary. A message of another run is not this run's, whoever sent it.
      } else if (!("id" in message) || message.id !== id) return;
      else if (message.type === "execution_done") ended.resolve({ done: message });
      else output.append(message.type, message.data);
    });
    void deps.exit.next().then((lost) => ended.resolve({ lost }));
    try {
      const { code } = this.#request;
      const unsent = sandbox.channel.send({ type: "execute", id, code, ...deps.told });
      if (unsent !== undefined) ended.resolve({ done: tooLong(id) });
      const end = await waitForEnd(
        stopSignal(this.#request, this.#clock),
        sandbox,
        id,
        ended.promise,
      );
      return { output: await gather(output, files, [...said]), ...end };
    } finally {
      progress.stop();
      requests.clear();
      this.#over.abort();
      sandbox.channel.listen((message) => refuseIdle(message, sandbox));
    }
  }
}

async function gather(
  output: OutputCollector,
  files: RunFiles,
  said: readonly string[],
): Promise<RunOutput> {
  const printed = output.finish();
  const { kept } = files;
  const own = [...printed.notes, ...said];
  if (kept.length === 0) return { ...printed, notes: own, images: [] };
  const { images, notes } = await readShown(files);
  return {
    ...printed,
    notes: [...own, ...notes],
    artifacts: [...printed.artifacts, ...kept],
    images,
  };
}

function tooLong(id: string): ExecutionDone {
  const error = "The code is too long: a run takes at most 64 MiB, with the servers' tools";
  return { type: "execution_done", id, status: "error", error };
}

type End = Omit<RunEnd, "output">;

async function waitForEnd(
  stop: StopSignal,
  sandbox: Sandbox,
  runId: string,
  ended: Promise<End>,
): Promise<End> {
  const first = await Promise.race([ended, stop.fired]);
  stop.clear();
  if (typeof first !== "string") return first;
  sandbox.channel.send({ type: "interrupt", id: runId });
  if (await settledWithin(ended, INTERRUPT_GRACE_MS)) return { ...await ended, stopped: first };
  await sandbox[Symbol.asyncDispose]();
  return { lost: await sandbox.exited, stopped: first };
}

interface StopSignal {
  fired: Promise<"timeout" | "cancelled">;
  clear(): void;
}

/** Fires when the run's time is over or its client gave up. */
function stopSignal(request: RunRequest, clock: PausableClock): StopSignal {
  const { promise, resolve } = Promise.withResolvers<"timeout" | "cancelled">();
  const onAbort = () => resolve("cancelled");
  const clearTime = clock.after(request.timeoutSeconds * 1000, () => resolve("timeout"));
  if (request.signal?.aborted) onAbort();
  request.signal?.addEventListener("abort", onAbort, { once: true });
  const clear = () => {
    clearTime();
    request.signal?.removeEventListener("abort", onAbort);
  };
  return { fired: promise, clear };
}

/** Never rejects. */
async function answer(
  { id, payload }: Extract<SandboxMessage, { type: "rpc_request" }>,
  { sandbox, log }: RunDeps,
  ask: (payload: RpcPayload) => Promise<RpcReply>,
): Promise<void> {
  const reply = (payload: RpcReply) => sandbox.channel.send({ type: "rpc_response", id, payload });
  const refuse = (error: string) => reply({ success: false, error });
  try {
    const { maxJsonDepth = Infinity } = sandbox;
    const unsent = reply(limitDepth(await ask(payload), maxJsonDepth));
    if (unsent !== undefined) reply(toUnsentReply(unsent, sandbox.channel));
  } catch (error) {
    // Whatever a reply is made of, what goes wrong with it is this request's alone.
    log?.error(describeFault(`answering ${JSON.stringify(payload.type)}`, error));
    refuse(`The host failed to answer ${payload.type}: ${describeError(error)}`);
  }
}

/** Between runs nothing is allowed; it is said, since a left-behind task may stand still until it is. */
function refuseIdle(message: SandboxMessage, { channel }: Sandbox): void {
  if (message.type !== "rpc_request") return;
  const error = "No run is going on: ask the host only while one is";
  channel.send({ type: "rpc_response", id: message.id, payload: { success: false, error } });
}
