/**
 * Starts programs: the container CLI, and the few others that tell who owns a container. The only
 * file of this engine with `Deno.Command`. Output is bounded and always drained, so that no program
 * stalls on a full pipe and none fills our memory.
 */
import { AppError } from "../../shared/errors.ts";

/** How a program came to its end. */
export type CliEnd = "exit" | "timeout" | "aborted" | "missing" | "denied";

/** What a short program left behind. */
export interface CliResult {
  /** `exit` when it ran to its end; else why it did not. */
  end: CliEnd;
  /** Exit code; -1 unless `end` is `exit`. */
  code: number;
  stdout: string;
  stderr: string;
}

/** Options of {@link ContainerCli.run}. */
export interface CliRunOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Told what the program prints, on either stream, as it comes. */
  onOutput?: ((text: string) => void) | undefined;
}

/** A program that stays. */
export interface CliProcess {
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  /** Resolves with the exit code once the program is gone; never rejects. */
  readonly exitCode: Promise<number>;
  /** The last of what it wrote to stderr. */
  stderrTail(): string;
  /** Ends the program at once; safe when it is gone. */
  kill(): void;
}

/** One container CLI. */
export interface ContainerCli {
  /** Name or path it is started by. */
  readonly command: string;
  /** Runs it to the end; never rejects. */
  run(args: readonly string[], options: CliRunOptions): Promise<CliResult>;
  /**
   * Starts it in the folder `cwd` and leaves it running.
   *
   * @throws {Error} if the program cannot be started.
   */
  spawn(args: readonly string[], cwd: string): CliProcess;
}

/** Variables set on top of our own environment. */
export type ExtraEnv = Readonly<Record<string, string>>;

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_STDERR_TAIL = 8 * 1024;

/** A {@link ContainerCli} that starts real processes. */
export function createContainerCli(command: string, env: ExtraEnv = {}): ContainerCli {
  return {
    command,
    run: (args, options) => runProgram(command, args, { ...options, env }),
    spawn: (args, cwd) => spawnProgram(command, args, { cwd, env: { ...env } }),
  };
}

/** Runs any program to its end; never rejects. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: CliRunOptions & { env?: ExtraEnv },
): Promise<CliResult> {
  if (options.signal?.aborted) return failed("aborted");
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(command, {
      args: [...args],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      // A process group of its own, so that what a stopped program has started ends with it.
      detached: Deno.build.os !== "windows",
      ...(options.env === undefined ? {} : { env: { ...options.env } }),
    }).spawn();
  } catch (error) {
    return toSpawnFailure(error);
  }
  const out = collect(child.stdout, options.onOutput);
  const err = collect(child.stderr, options.onOutput);
  let end: CliEnd = "exit";
  const stopped = Promise.withResolvers<void>();
  const stop = (why: CliEnd) => {
    end = why;
    killGroup(child);
    stopped.resolve();
  };
  const timer = setTimeout(() => stop("timeout"), options.timeoutMs);
  const onAbort = () => stop("aborted");
  options.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const status = await Promise.race([
      Promise.all([child.status, out.done, err.done]).then(([status]) => status),
      stopped.promise,
    ]);
    const code = end === "exit" && status !== undefined ? status.code : -1;
    return { end, code, stdout: out.text(), stderr: err.text() };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", onAbort);
    // A grandchild may hold the pipes open after its parent was killed: stop reading, do not wait.
    out.cancel();
    err.cancel();
  }
}

function spawnProgram(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): CliProcess {
  const child = new Deno.Command(command, {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...options,
  }).spawn();
  let tail = "";
  const stderr = collect(child.stderr, (text) => {
    tail = (tail + text).slice(-MAX_STDERR_TAIL);
  }, 0);
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    exitCode: child.status.then(async (status) => {
      // What it said last explains its end, but a grandchild may keep the pipe: do not wait for long.
      await Promise.race([stderr.done, pause(200)]);
      stderr.cancel();
      return status.code;
    }),
    stderrTail: () => tail,
    kill: () => killQuietly(child),
  };
}

interface Collector {
  done: Promise<void>;
  text(): string;
  cancel(): void;
}

function collect(
  stream: ReadableStream<Uint8Array>,
  onText?: (text: string) => void,
  maxBytes = MAX_OUTPUT_BYTES,
): Collector {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const live = new TextDecoder();
  const parts: string[] = [];
  let room = maxBytes;
  const done = (async () => {
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        onText?.(live.decode(value, { stream: true }));
        if (room <= 0) continue;
        parts.push(decoder.decode(value.subarray(0, room), { stream: true }));
        room -= value.length;
      }
    } catch {
      // A cancelled or broken pipe: what came so far is the output.
    }
  })();
  return { done, text: () => parts.join(""), cancel: () => void reader.cancel().catch(() => {}) };
}

function killQuietly(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It is gone already, which is what was asked for.
  }
}

function killGroup(child: Deno.ChildProcess): void {
  try {
    Deno.kill(Deno.build.os === "windows" ? child.pid : -child.pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}

function toSpawnFailure(error: unknown): CliResult {
  if (error instanceof Deno.errors.NotFound) return failed("missing");
  const detail = error instanceof Error ? error.message : String(error);
  return { ...failed("denied"), stderr: detail };
}

function failed(end: CliEnd): CliResult {
  return { end, code: -1, stdout: "", stderr: "" };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @throws {AppError} if it was. */
export function assertNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new AppError("The start of the sandbox was cancelled", {
      cause: signal.reason,
    });
  }
}
