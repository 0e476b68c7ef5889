/** Downstream servers for tests: entries of the stubs, a configuration that can change, a folder of its own. */
import {
  createDownstream,
  type DownstreamOptions,
} from "../../src/downstream/create_downstream.ts";
import type { CallOptions, Downstream } from "../../src/downstream/downstream.ts";
import type { Asker } from "../../src/questions/asker.ts";
import type { Answer, Asked } from "../../src/questions/question.ts";
import type { ServerEntry, ServerTransport } from "../../src/discovery/entry/server_entry.ts";
import { createLogger } from "../../src/shared/log.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";

/** A stub of `tests/fixtures/servers` as a stdio server. */
export function stub(
  file: string,
  env: Record<string, string> = {},
  own: readonly string[] = [],
): ServerTransport {
  const path = new URL(`../fixtures/servers/${file}.ts`, import.meta.url).pathname;
  const args = ["run", "-A", "--no-config", "--no-lock", "--quiet", path, ...own];
  return { kind: "stdio", command: Deno.execPath(), args, env };
}

/** An entry as discovery gives it. */
export function entry(name: string, transport: ServerTransport): ServerEntry {
  const source = { client: "Claude Code", file: "/home/me/.claude.json", line: 3 };
  return { name, description: "", transport, source };
}

/** What a test works with. */
export interface Rig extends AsyncDisposable {
  downstream: Downstream;
  /** What is configured; a test may change it. */
  servers: ServerEntry[];
  cacheDir: string;
  /** Log lines so far. */
  log: string[];
  /** Closes the servers and starts anew over the same cache folder. */
  restart(): Promise<void>;
}

/** Sets up servers by name. */
export async function createRig(
  servers: Record<string, ServerTransport>,
  options: Partial<DownstreamOptions> = {},
): Promise<Rig> {
  const cacheDir = await Deno.makeTempDir({ prefix: "mcp-bridge-servers-" });
  const log: string[] = [];
  const create = () =>
    createDownstream({
      discovery: { discover: () => Promise.resolve({ servers: [...rig.servers], skipped: [] }) },
      cacheDir,
      log: createLogger("debug", (line) => log.push(line)),
      env: Deno.env.toObject(),
      ...options,
    });
  const rig: Rig = {
    servers: Object.entries(servers).map(([name, transport]) => entry(name, transport)),
    cacheDir,
    log,
    downstream: undefined as unknown as Downstream,
    async restart() {
      await rig.downstream[Symbol.asyncDispose]();
      rig.downstream = create();
    },
    async [Symbol.asyncDispose]() {
      await rig.downstream[Symbol.asyncDispose]();
      await Deno.remove(cacheDir, { recursive: true });
    },
  };
  rig.downstream = create();
  return rig;
}

/** Options of a call that nobody cancels. */
export function calling(timeoutMs = 20_000, signal = new AbortController().signal): CallOptions {
  return { signal, timeoutMs };
}

/** The value of a call that is expected to give one. */
export async function valueOf(
  { downstream }: Rig,
  server: string,
  tool: string,
  args: Record<string, unknown> = {},
  asker?: Asker,
): Promise<unknown> {
  const outcome = await downstream.callTool(server, tool, JsonText.of(args), {
    ...calling(),
    asker,
  });
  if (outcome.kind === "text") return outcome.mayBeJson ? JSON.parse(outcome.text) : outcome.text;
  if (outcome.kind !== "value") throw new Error(`Expected a value, got ${JSON.stringify(outcome)}`);
  return outcome.value.parse();
}

/** A client that can do everything, and answers by `answer`. */
export function ableAsker(answer: (asked: Asked) => Answer | Promise<Answer>): Asker {
  const abilities = {
    client: "able",
    form: true,
    url: true,
    sampling: true,
    samplingTools: true,
    roots: true,
  };
  return { abilities, ask: (asked) => Promise.resolve(answer(asked)) };
}

/** A signal for calls that are not cancelled. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/** Whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGCONT");
    // One that has ended but was not waited for is still in the table.
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

/** Waits until `isTrue`, for at most 10 s. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!await isTrue()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
