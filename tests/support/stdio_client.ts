/**
 * A client that shows everything: it starts the real server, speaks JSON-RPC as it is told to, keeps each
 * line of stdout as it came and all of stderr. For what the SDK's clients hide.
 */
import type { BridgeHome, BridgeOptions } from "./bridge_home.ts";

/** A message of the server. */
export interface Message {
  jsonrpc: "2.0";
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** The answer of `run_python`. */
export interface RunAnswer {
  content: Array<{ type: string; text?: string; uri?: string }>;
  structuredContent: Record<string, unknown>;
  isError: boolean;
}

/** A request that was sent. */
export interface Sent {
  id: number;
  reply: Promise<Message>;
}

/** Longest wait for the process to end by itself once its stdin is closed. */
const END_MS = 5000;

/** Longest life of a process, unless told otherwise. */
const LIFE_MS = 90_000;

/** The server as a process, and the pipe to it. */
export class StdioClient implements AsyncDisposable {
  /** Lines of stdout so far, as they came. */
  readonly lines: string[] = [];
  /** Messages so far, with the time each arrived. */
  readonly messages: Array<Message & { atMs: number }> = [];
  /** What the server has written to stderr so far. */
  stderr = "";
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #drained: Promise<unknown>;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #nextId = 1;

  constructor(home: BridgeHome, options: BridgeOptions = {}) {
    const { command, args, env, cwd } = home.command(options);
    const pipes = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    this.#process = new Deno.Command(command, { args, env, clearEnv: true, cwd, ...pipes }).spawn();
    this.#writer = this.#process.stdin.getWriter();
    this.#writer.closed.catch(() => {});
    const timer = setTimeout(() => this.kill("SIGKILL"), options.lifeMs ?? LIFE_MS);
    this.#drained = Promise.all([this.#readStdout(), this.#readStderr()]).finally(() => {
      clearTimeout(timer);
      const error = { code: 0, message: `The server ended; its log: ${this.stderr}` };
      for (const resolve of this.#waiting.values()) resolve({ jsonrpc: "2.0", error });
    });
  }

  /** A client that has said `initialize`. */
  static async connect(home: BridgeHome, options: BridgeOptions = {}): Promise<StdioClient> {
    const client = new StdioClient(home, options);
    await client.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "e2e", version: "0" },
    }).reply;
    await client.notify("notifications/initialized");
    return client;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Resolves when the process has ended and all it wrote has been read. */
  get ended(): Promise<Deno.CommandStatus> {
    return this.#drained.then(() => this.#process.status);
  }

  /** Writes a line as it is. */
  async write(line: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${line}\n`));
  }

  request(method: string, params: Record<string, unknown> = {}): Sent {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#waiting.set(id, resolve);
    this.write(JSON.stringify({ jsonrpc: "2.0", id, method, params })).catch(() => {});
    return { id, reply: promise };
  }

  notify(method: string, params: Record<string, unknown> = {}): Promise<void> {
    return this.write(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** Sends a run without waiting for its answer. */
  start(code: string, params: Record<string, unknown> = {}): Sent {
    const { timeout, ...rest } = params;
    const args = { code, ...(timeout !== undefined && { timeout }) };
    return this.request("tools/call", { name: "run_python", arguments: args, ...rest });
  }

  /** The answer of a run. */
  async run(code: string, params: Record<string, unknown> = {}): Promise<RunAnswer> {
    const { result, error } = await this.start(code, params).reply;
    if (result === undefined) throw new Error(`No result: ${error?.message}`);
    return result as unknown as RunAnswer;
  }

  /** The text of a run's answer. */
  async text(code: string, params: Record<string, unknown> = {}): Promise<string> {
    return (await this.run(code, params)).content[0]?.text ?? "";
  }

  /** Waits until stderr holds `text`. */
  async waitForLog(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  async closeStdin(): Promise<void> {
    await this.#writer.close().catch(() => {});
  }

  kill(signal: Deno.Signal): void {
    try {
      this.#process.kill(signal);
    } catch {
      // It has ended already.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeStdin();
    const timer = setTimeout(() => this.kill("SIGKILL"), END_MS);
    await this.ended;
    clearTimeout(timer);
  }

  async #readStdout(): Promise<void> {
    let rest = "";
    for await (const text of this.#process.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split("\n");
      rest = parts.pop()!;
      for (const line of parts) this.#receive(line);
    }
    if (rest !== "") this.#receive(rest);
  }

  #receive(line: string): void {
    this.lines.push(line);
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      return; // Kept in `lines`, for the test that looks for it.
    }
    this.messages.push({ ...message, atMs: performance.now() });
    if (typeof message.id === "number" && message.method === undefined) {
      this.#waiting.get(message.id)?.(message);
    }
  }

  async #readStderr(): Promise<void> {
    for await (const text of this.#process.stderr.pipeThrough(new TextDecoderStream())) {
      this.stderr += text;
    }
  }
}
