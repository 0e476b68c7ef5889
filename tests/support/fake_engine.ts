/**
 * An engine without a process: an interpreter in memory that understands a handful of statements. It
 * passes the part of the contract that is about life and death, and lets the rooms above be tested fast.
 */
import type { Engine, Sandbox, SandboxExit } from "../../src/engine/engine.ts";
import type { LimitReport } from "../../src/engine/policy.ts";
import type { Channel, ChannelEnd, MessageListener } from "../../src/wire/channel.ts";
import { ByteBudget, Unread } from "../../src/shared/byte_budget.ts";
import {
  formatHostMessage,
  type HostMessage,
  type SandboxMessage,
} from "../../src/wire/messages.ts";

/** Makes sandboxes in memory and remembers them. */
export class FakeEngine implements Engine {
  readonly name = "fake";
  readonly limits: LimitReport = {
    memoryBytes: "not applicable",
    pids: "not applicable",
    cpus: "not applicable",
    user: "not applicable",
    tmpBytes: "not applicable",
    workspaceBytes: "not applicable",
    systemCalls: "not applicable",
  };
  readonly started: FakeSandbox[] = [];

  async start(): Promise<FakeSandbox> {
    await Promise.resolve();
    const sandbox = new FakeSandbox();
    this.started.push(sandbox);
    return sandbox;
  }
}

type Done = Omit<Extract<SandboxMessage, { type: "execution_done" }>, "type" | "id">;

/** Code that does not fit into a line. */
export const TOO_LONG = "# too long";

/** A sandbox that lives in memory. */
export class FakeSandbox implements Sandbox {
  readonly channel: Channel;
  readonly exited: Promise<SandboxExit>;
  readonly #end = Promise.withResolvers<SandboxExit>();
  readonly #closed = Promise.withResolvers<ChannelEnd>();
  readonly #variables = new Map<string, number>();
  /** The line that each run came with. */
  readonly lines: string[] = [];
  /** Names of the saved tools that each run came with. */
  readonly savedTools: string[][] = [];
  #listener: MessageListener = () => {};
  #busy: string | undefined;
  #swallows = false;

  constructor() {
    this.exited = this.#end.promise;
    this.channel = {
      send: (message) => {
        if (message.type === "execute" && message.code === TOO_LONG) {
          return { reason: "too_long", bytes: Infinity };
        }
        queueMicrotask(() => this.#receive(message));
        return undefined;
      },
      listen: (listener) => this.#listener = listener,
      closed: this.#closed.promise,
      budget: new ByteBudget(Infinity),
      unread: new Unread(),
    };
  }

  /** Ends it as a crash would. */
  crash(exit: SandboxExit): void {
    this.#end.resolve(exit);
    this.#closed.resolve({});
  }

  /** Closes its side, as a process does that is about to end. */
  closeChannel(): void {
    this.#closed.resolve({});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.crash({ reason: "closed", detail: "the sandbox was closed" });
    await this.exited;
  }

  #receive(message: HostMessage): void {
    if (message.type === "execute") {
      this.lines.push(formatHostMessage(message));
      this.savedTools.push((message.saved_tools ?? []).map(({ name }) => name));
      const done = this.#execute(message.id, message.code);
      if (done !== undefined) this.#finish(message.id, done);
    } else if (message.type === "interrupt" && message.id === this.#busy && !this.#swallows) {
      this.#finish(message.id, { status: "interrupted" });
    }
  }

  #emit(message: SandboxMessage): void {
    this.#listener(message, JSON.stringify(message).length);
  }

  #finish(id: string, done: Done): void {
    this.#busy = undefined;
    this.#emit({ type: "execution_done", id, ...done });
  }

  /** Runs the statements; undefined means that it goes on for ever. */
  #execute(id: string, code: string): Done | undefined {
    for (const line of code.split("\n")) {
      const [, text] = /^print\("(.*)"\)$/.exec(line) ?? [];
      const [, name, value] = /^(\w+) = (\d+)$/.exec(line) ?? [];
      const [, shown] = /^print\((\w+)\)$/.exec(line) ?? [];
      const [, code] = /^raise SystemExit\((\d+)\)$/.exec(line) ?? [];
      if (text !== undefined) this.#emit({ type: "stdout", id, data: `${text}\n` });
      else if (name !== undefined) this.#variables.set(name, Number(value));
      else if (shown !== undefined) {
        const known = this.#variables.get(shown);
        if (known === undefined) return this.#fail(id, `NameError: name '${shown}' is not defined`);
        this.#emit({ type: "stdout", id, data: `${known}\n` });
      } else if (code !== undefined) return { status: "exit", exit_code: Number(code) };
      else if (line === "1/0") return this.#fail(id, "ZeroDivisionError: division by zero");
      else if (line === "while True: pass") {
        this.#busy = id;
        return undefined;
      } else if (line === "while True: swallow()") {
        this.#busy = id;
        this.#swallows = true;
        return undefined;
      } else if (line !== "") return this.#fail(id, `SyntaxError: not for the fake: ${line}`);
    }
    return { status: "ok" };
  }

  #fail(id: string, error: string): Done {
    this.#emit({ type: "stderr", id, data: `${error}\n` });
    return { status: "error", error };
  }
}
