/**
 * One process of a stdio server and everything it starts. It moves bytes; what they mean is for
 * `stdio_client_transport.ts`.
 *
 * LIMITATION: a program that leaves its process group on purpose (a daemon) is not ended with it.
 */
import { type ByteReader, openReader } from "../../shared/framing.ts";
import { settledWithin } from "../../shared/deadline.ts";
import { Stretch } from "../../shared/stretch.ts";
import { LineTail } from "./line_tail.ts";
import { OrphanWatch } from "./orphan_watch.ts";

/** How long a server may take to end by itself once its stdin is closed. */
const END_MS = 500;

/** How long it may take to end after SIGTERM. */
const TERMINATE_MS = 1500;

/** How long what it wrote last may take to arrive when it is gone. */
const DRAIN_MS = 200;

/** A program with its whole environment. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
}

/** One for all servers of this process. */
const orphans = new OrphanWatch();

/** A running server. */
export class ServerProcess implements AsyncDisposable {
  /** Resolves with how it ended, such as `exit code 1`. */
  readonly exited: Promise<string>;
  readonly #child: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #stdout: ByteReader;
  readonly #stderr: ReadableStreamDefaultReader<Uint8Array>;
  readonly #stderrEnd: Promise<void>;
  readonly #stdoutEnd = Promise.withResolvers<void>();
  readonly #tail = new LineTail();
  #ended: string | undefined;
  #disposing: Promise<void> | undefined;

  /**
   * Starts the process.
   *
   * @throws {Deno.errors.NotFound} if there is no such program or folder.
   */
  constructor({ command, args, env, cwd }: ServerCommand) {
    this.#child = new Deno.Command(command, {
      args: [...args],
      env: { ...env },
      // SECURITY: our environment. A server gets its own variables and a minimal base, never ours.
      clearEnv: true,
      ...(cwd !== undefined && { cwd }),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      // A process group of its own, so that what `npx` or a shell starts ends with it.
      detached: Deno.build.os !== "windows",
    }).spawn();
    orphans.add(this.pid);
    this.#stdin = this.#child.stdin.getWriter();
    this.#stdin.closed.catch(() => {});
    this.#stdout = openReader(this.#child.stdout);
    this.#stderr = this.#child.stderr.getReader();
    this.#stderrEnd = this.#drainStderr();
    this.exited = this.#child.status.then(({ code, signal }) =>
      this.#ended = signal === null ? `exit code ${code}` : `signal ${signal}`
    );
    // What a server that crashed has left running goes with it.
    void this.exited.then(() => this[Symbol.asyncDispose]());
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** How it ended; undefined while it runs. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** The last lines it wrote to stderr. */
  get stderrTail(): readonly string[] {
    return this.#tail.lines();
  }

  /**
   * Hands over chunks of its stdout until it ends, is stopped or `onChunk` wants no more. A chunk is good
   * until `onChunk` is done; whoever has long work to do gives way by the stretch.
   */
  async output(
    onChunk: (chunk: Uint8Array, stretch: Stretch) => Promise<boolean>,
  ): Promise<void> {
    const stretch = new Stretch();
    try {
      for (;;) {
        const chunk = await this.#stdout.read();
        if (chunk === undefined || !await onChunk(chunk, stretch)) return;
        if (stretch.isOver) await stretch.giveWay();
      }
    } finally {
      this.#stdoutEnd.resolve();
    }
  }

  /** Writes to its stdin; resolves when the system has taken all bytes. */
  write(bytes: Uint8Array): Promise<void> {
    return this.#stdin.write(bytes);
  }

  /** Waits, for a moment, until it has ended and all it wrote to stderr is there. */
  async lastWords(): Promise<void> {
    await settledWithin(Promise.all([this.exited, this.#stderrEnd]), DRAIN_MS);
  }

  /** Ends it and everything it started: by the end of its stdin, then SIGTERM, then SIGKILL. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposing ??= this.#stop();
  }

  async #stop(): Promise<void> {
    if (this.#ended === undefined) {
      // Not awaited: bytes that a server does not read would hold it up for ever.
      this.#stdin.close().catch(() => {});
      await settledWithin(this.exited, END_MS);
    }
    // A group outlives its first member, and only those who are in it keep its number taken.
    if (this.#signalAll("SIGTERM")) {
      await settledWithin(this.exited, TERMINATE_MS);
      const isGone = () => !this.#signalAll("SIGCONT");
      for (let waited = 0; waited < DRAIN_MS && !isGone(); waited += 20) await sleep(20);
      this.#signalAll("SIGKILL");
    }
    await this.exited;
    await orphans.remove(this.pid);
    await settledWithin(Promise.all([this.#stderrEnd, this.#stdoutEnd.promise]), DRAIN_MS);
    await this.#stdin.abort().catch(() => {});
    await Promise.all(
      [this.#stdout, this.#stderr].map((reader) => reader.cancel().catch(() => {})),
    );
  }

  /** Signals the whole group; false if nobody is left in it. */
  #signalAll(signal: "SIGTERM" | "SIGCONT" | "SIGKILL"): boolean {
    try {
      if (Deno.build.os !== "windows") Deno.kill(-this.pid, signal);
      else if (this.#ended !== undefined || signal === "SIGCONT") return false;
      else killTree(this.pid);
      return true;
    } catch {
      return false;
    }
  }

  async #drainStderr(): Promise<void> {
    try {
      for (;;) {
        const { value, done } = await this.#stderr.read();
        if (done) return;
        this.#tail.push(value);
      }
    } catch {
      // The pipe broke; what was read is kept.
    }
  }
}

/** Windows has no process groups: its own tool ends a process and those below it. */
function killTree(pid: number): void {
  new Deno.Command("taskkill", {
    args: ["/pid", String(pid), "/t", "/f"],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).outputSync();
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
