/** One child process with its interpreter, seen as a {@link Sandbox}. */
import { LineChannel } from "../../wire/channel.ts";
import { brokenExit, type Sandbox, type SandboxExit, TOO_DEEP } from "../engine.ts";
import { EXIT_INTERPRETER_DIED, EXIT_MEMORY } from "./child/protocol.ts";

/** Of what the child says on stderr, this much is kept for the log. */
const STDERR_TAIL_CHARS = 4096;

/** A running child. */
export class WasmSandbox implements Sandbox {
  readonly channel: LineChannel;
  readonly exited: Promise<SandboxExit>;
  /** Half of what lives: WebAssembly's stack has an end, at which Python dies. */
  readonly maxJsonDepth = 5000;
  readonly #child: Deno.ChildProcess;
  readonly #memoryBytes: number;
  #stderrTail = "";
  #disposed = false;
  #broken: Error | undefined;

  constructor(child: Deno.ChildProcess, memoryBytes: number) {
    this.#child = child;
    this.#memoryBytes = memoryBytes;
    this.channel = new LineChannel(child.stdout, child.stdin);
    const drained = this.#drainStderr();
    void this.channel.closed.then((end) => {
      this.#broken = end.error;
      // Whether it ended its output or broke the protocol: nothing good can come from it any more.
      this.#kill();
    });
    this.exited = child.status.then(async (status) => {
      await drained;
      return this.#explain(status);
    });
  }

  /** The last words of the child, for the log; they name paths of the host. */
  get stderrTail(): string {
    return this.#stderrTail;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    this.#kill();
    await this.exited;
  }

  #kill(): void {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It is gone already.
    }
  }

  #explain(status: Deno.CommandStatus): SandboxExit {
    if (this.#disposed) return { reason: "closed", detail: "the sandbox was closed" };
    if (status.code === EXIT_MEMORY) {
      const limit = Math.round(this.#memoryBytes / (1024 * 1024));
      return { reason: "memory", detail: `the memory limit of ${limit} MB was exceeded` };
    }
    if (this.#broken !== undefined) return brokenExit(this.#broken.message);
    if (status.code === EXIT_INTERPRETER_DIED) {
      return { reason: "crashed", detail: `the Python interpreter died; ${TOO_DEEP}` };
    }
    const how = status.signal === null ? `code ${status.code}` : status.signal;
    return { reason: "crashed", detail: `the sandbox ended unexpectedly (${how})` };
  }

  async #drainStderr(): Promise<void> {
    try {
      for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
        this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_CHARS);
      }
    } catch {
      // The process is gone; its status tells the rest.
    }
  }
}
