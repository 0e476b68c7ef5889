/**
 * One run in a sandbox that is there: send the code, serve its requests, gather its output, stop it when
 * its time is over or the client gives up. Says how it ended and whether the sandbox outlived it.
 */
import type { Sandbox, SandboxExit } from "../engine/engine.ts";
import type { RpcContext, RpcRouter } from "../rpc/router.ts";
import type { RunFiles } from "../store/run_store.ts";
import type { ExecutionDone, SandboxMessage } from "../wire/messages.ts";
import type { ExitWatch } from "./exit_watch.ts";
import { type CollectedOutput, OutputCollector } from "./output.ts";
import type { RunRequest } from "./run_request.ts";

/** Time a program has to end after an interrupt before it is killed. */
const INTERRUPT_GRACE_MS = 2000;

/** Time between two progress reports. */
const PROGRESS_MS = 2000;

/** What a run needs besides the request itself. */
export interface InvocationDeps {
  sandbox: Sandbox;
  /** Tells of the sandbox's end. */
  exit: ExitWatch;
  rpc: RpcRouter;
  files: RunFiles;
  maxOutputChars: number;
}

/** How a run ended. */
export interface InvocationEnd {
  output: CollectedOutput;
  /** Why it was stopped from outside, if it was. */
  stopped?: "timeout" | "cancelled";
  /** The program's own end; absent if the sandbox died or had to be killed. */
  done?: ExecutionDone;
  /** Why the sandbox is gone; absent if it lives on. */
  lost?: SandboxExit;
}

/** Runs one request to its end. Never rejects. */
export async function invoke(request: RunRequest, deps: InvocationDeps): Promise<InvocationEnd> {
  const { sandbox } = deps;
  using files = deps.files;
  const output = new OutputCollector(deps.maxOutputChars, files);
  const runId = crypto.randomUUID();
  const over = new AbortController();
  const done = Promise.withResolvers<ExecutionDone>();
  const context: RpcContext = { servers: request.servers, signal: over.signal };
  sandbox.channel.listen((message) => {
    if (message.type === "rpc_request") void answer(message, deps, context);
    // SECURITY: session boundary. A message of another run is not this run's, whoever sent it.
    else if (!("id" in message) || message.id !== runId) return;
    else if (message.type === "execution_done") done.resolve(message);
    else output.append(message.type, message.data);
  });
  const stopProgress = reportProgress(request, output);
  try {
    sandbox.channel.send({
      type: "execute",
      id: runId,
      code: request.code,
      servers: [],
      discovered: {},
    });
    const ended: Promise<End> = Promise.race([
      done.promise.then((message): End => ({ done: message })),
      deps.exit.next().then((lost): End => ({ lost })),
    ]);
    const end = await waitForEnd(request, sandbox, runId, ended);
    return { output: output.finish(), ...end };
  } finally {
    stopProgress();
    over.abort();
    sandbox.channel.listen(refuseIdle);
  }
}

type End = Omit<InvocationEnd, "output">;

async function waitForEnd(
  request: RunRequest,
  sandbox: Sandbox,
  runId: string,
  ended: Promise<End>,
): Promise<End> {
  const stop = stopSignal(request);
  const first = await Promise.race([ended, stop.fired]);
  stop.clear();
  if (typeof first !== "string") return first;
  sandbox.channel.send({ type: "interrupt", id: runId });
  const grace = timer(INTERRUPT_GRACE_MS);
  const last = await Promise.race([ended, grace.fired]);
  grace.clear();
  if (last !== undefined) return { ...last, stopped: first };
  await sandbox[Symbol.asyncDispose]();
  return { lost: await sandbox.exited, stopped: first };
}

/** Fires when the run's time is over or its client gave up. */
function stopSignal(request: RunRequest) {
  const { promise, resolve } = Promise.withResolvers<"timeout" | "cancelled">();
  const onAbort = () => resolve("cancelled");
  const timeout = setTimeout(() => resolve("timeout"), request.timeoutSeconds * 1000);
  if (request.signal?.aborted) onAbort();
  request.signal?.addEventListener("abort", onAbort, { once: true });
  const clear = () => {
    clearTimeout(timeout);
    request.signal?.removeEventListener("abort", onAbort);
  };
  return { fired: promise, clear };
}

function timer(milliseconds: number) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const id = setTimeout(() => resolve(undefined), milliseconds);
  return { fired: promise, clear: () => clearTimeout(id) };
}

function reportProgress(request: RunRequest, output: OutputCollector): () => void {
  const { onProgress } = request;
  if (onProgress === undefined) return () => {};
  const startedAt = performance.now();
  const id = setInterval(() => {
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    onProgress({ elapsedSeconds, message: output.lastLine || "Running" });
  }, PROGRESS_MS);
  return () => clearInterval(id);
}

async function answer(
  message: Extract<SandboxMessage, { type: "rpc_request" }>,
  deps: InvocationDeps,
  context: RpcContext,
): Promise<void> {
  const payload = await deps.rpc(message.payload, context);
  deps.sandbox.channel.send({ type: "rpc_response", id: message.id, payload });
}

/** Between runs nothing is allowed, so whatever a left-behind task asks for waits for no answer. */
function refuseIdle(_message: SandboxMessage): void {}
