/** A server that misbehaves when it is told to, on standard streams or behind HTTP. */
import type { ServerConfig } from "../support/bridge_servers.ts";
import type { Fault, Moment } from "../fixtures/misbehaving/fault.ts";
import { FAULTS as HTTP_FAULTS } from "../fixtures/misbehaving/http.ts";
import { FAULTS as STDIO_FAULTS } from "../fixtures/misbehaving/stdio.ts";

/** How a server is reached; behind HTTP its answers are JSON or streams of events. */
export const WAYS = ["stdio", "json", "events"] as const;

export type Way = typeof WAYS[number];

/** All that a server can do wrong; what only Linux can do is left out elsewhere. */
export function faultsOf(way: Way): string[] {
  const kinds = Object.keys(way === "stdio" ? STDIO_FAULTS : HTTP_FAULTS);
  return kinds.filter((kind) => !kind.startsWith("close ") || Deno.build.os === "linux");
}

/** One server; behind HTTP it runs from its making on. */
export class BadServer implements AsyncDisposable {
  readonly #file: string;
  #remote: { child: Deno.ChildProcess; port: number } | undefined;

  private constructor(file: string) {
    this.#file = file;
  }

  /** `file` is where it looks for what to do wrong. */
  static async start(way: Way, file: string): Promise<BadServer> {
    const server = new BadServer(file);
    if (way === "stdio") return server;
    const args = [...commandOf("http", file), way];
    const child = new Deno.Command(Deno.execPath(), {
      args,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    })
      .spawn();
    const reader = child.stdout.getReader();
    const port = Number(new TextDecoder().decode((await reader.read()).value));
    await reader.cancel();
    server.#remote = { child, port };
    return server;
  }

  /** Its entry in a configuration; under each name it is a server of its own. */
  config(name: string, timeoutSeconds?: number): ServerConfig {
    const timeout = timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds };
    if (this.#remote !== undefined) {
      return { type: "http", url: `http://127.0.0.1:${this.#remote.port}/${name}`, ...timeout };
    }
    const args = [...commandOf("stdio", this.#file), name];
    return { command: Deno.execPath(), args, ...timeout };
  }

  /** From now on it does this wrong. */
  async misbehave(kind: string, moment: Moment): Promise<void> {
    const fault: Fault = { kind, moment };
    await Deno.writeTextFile(this.#file, JSON.stringify(fault));
  }

  /** From now on it is good. */
  async mend(): Promise<void> {
    await Deno.remove(this.#file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#remote?.child.kill("SIGKILL");
    await this.#remote?.child.status;
  }
}

function commandOf(file: "stdio" | "http", fault: string): string[] {
  const path = new URL(`../fixtures/misbehaving/${file}.ts`, import.meta.url).pathname;
  return ["run", "--quiet", "-A", "--no-config", "--no-lock", path, fault];
}
