/** server-everything as an HTTP server of its own, over either of the two transports. */
import { reference } from "./bridge_servers.ts";

/** Longest wait until it listens. */
const START_MS = 60_000;

/** Starts it on a free port, or on the port that is wanted; disposing ends it. */
export async function serveEverything(
  kind: "streamableHttp" | "sse",
  wantedPort = 0,
): Promise<AsyncDisposable & { port: number; url: string }> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: wantedPort });
  const { port } = listener.addr;
  listener.close();
  const child = new Deno.Command(Deno.execPath(), {
    args: reference("server-everything", kind).args!,
    env: { PORT: String(port) },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const deadline = performance.now() + START_MS;
  while (!await isListening(port)) {
    if (performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`server-everything (${kind}) did not listen within ${START_MS} ms`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    port,
    url: `http://127.0.0.1:${port}/${kind === "sse" ? "sse" : "mcp"}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}
