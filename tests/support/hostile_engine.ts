/** A sandbox that sends what it likes: a process of its own that runs a few lines of JavaScript. */
import type { Engine, Sandbox, SandboxExit } from "../../src/engine/engine.ts";
import { LineChannel } from "../../src/wire/channel.ts";
import { FakeEngine } from "./fake_engine.ts";

/** What the program can use besides Deno itself. */
const HELPERS = `
const write = (data) => {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
};
let heard = "";
const hear = async (word) => {
  const buffer = new Uint8Array(65536);
  while (!heard.includes(word)) {
    const count = await Deno.stdin.read(buffer);
    if (count === null) Deno.exit(0);
    heard += new TextDecoder().decode(buffer.subarray(0, count));
  }
  return heard;
};
const runId = async () => JSON.parse((await hear("\\n")).split("\\n")[0]).id;
const request = (payload, id = "q") => '{"type":"rpc_request","id":"' + id + '","payload":' + payload + '}\\n';
const done = (id) => write(JSON.stringify({ type: "execution_done", id, status: "ok" }) + "\\n");
`;

/** An engine whose sandboxes run `program`. */
export function hostileEngine(program: string): Engine {
  const { name, limits } = new FakeEngine();
  return {
    name,
    limits,
    async start(): Promise<Sandbox> {
      await Promise.resolve();
      const child = new Deno.Command(Deno.execPath(), {
        args: ["eval", "--quiet", HELPERS + program],
        stdin: "piped",
        stdout: "piped",
        stderr: "inherit",
      }).spawn();
      const channel = new LineChannel(child.stdout, child.stdin);
      const closed = Promise.withResolvers<SandboxExit>();
      void channel.closed.then(({ error }) =>
        closed.resolve({ reason: "crashed", detail: error?.message ?? "it ended" })
      );
      const end = () => {
        try {
          child.kill("SIGKILL");
        } catch {
          // It has ended.
        }
      };
      void closed.promise.then(end);
      return {
        channel,
        exited: Promise.all([closed.promise, child.status]).then(([exit]) => exit),
        async [Symbol.asyncDispose]() {
          closed.resolve({ reason: "closed", detail: "the sandbox was closed" });
          end();
          await child.status;
        },
      };
    },
  };
}
