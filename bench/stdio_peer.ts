/** A bare JSON-RPC client over a process's stdio: as little as possible between the clock and the server. */

/** An MCP server as a process, and requests to it. */
export class StdioPeer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, (message: Reply) => void>();
  readonly #encoder = new TextEncoder();
  #id = 0;

  constructor(args: string[], env: Record<string, string> = {}) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", ...args],
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    void this.#read();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Opens the connection as a 2025-11-25 client does. */
  async initialize(): Promise<void> {
    await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1.0.0" },
    });
    await this.#send({ method: "notifications/initialized" });
  }

  /** Calls a tool with `code` as its argument. */
  call(name: string, code: string): Promise<Reply> {
    return this.request("tools/call", { name, arguments: { code } });
  }

  async request(method: string, params: unknown): Promise<Reply> {
    const id = ++this.#id;
    const reply = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    await this.#send({ id, method, params });
    const message = await reply;
    if (message.error !== undefined) throw new Error(JSON.stringify(message.error));
    return message;
  }

  async #send(message: Record<string, unknown>): Promise<void> {
    const line = JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n";
    await this.#writer.write(this.#encoder.encode(line));
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const message = JSON.parse(line) as Reply;
        this.#waiting.get(message.id)?.(message);
        this.#waiting.delete(message.id);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#child.status;
  }
}

/** An answer of the server. */
export interface Reply {
  id: number;
  result?: unknown;
  error?: unknown;
}
