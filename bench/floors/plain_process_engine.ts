/** The runtime in a plain Python process: no container and no walls, what a container engine starts from. */
import type { Engine, Sandbox } from "../../src/engine/engine.ts";
import { LineChannel } from "../../src/wire/channel.ts";

const ENTRYPOINT = new URL("../../runtime/python/entrypoint.py", import.meta.url);

/** Starts `python3 runtime/python/entrypoint.py`; for measurements only. */
export const plainProcessEngine: Engine = {
  name: "process",
  limits: {
    memoryBytes: "not applicable",
    pids: "not applicable",
    cpus: "not applicable",
    user: "not applicable",
    tmpBytes: "not applicable",
    workspaceBytes: "not applicable",
    systemCalls: "not applicable",
  },
  async start(): Promise<Sandbox> {
    const child = new Deno.Command("python3", {
      args: ["-u", ENTRYPOINT.pathname],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const channel = new LineChannel(child.stdout, child.stdin);
    await new Promise<void>((resolve) => channel.listen(() => resolve()));
    const exited = child.status.then(() => ({ reason: "closed" as const, detail: "ended" }));
    return {
      channel,
      exited,
      async [Symbol.asyncDispose]() {
        child.kill("SIGKILL");
        await exited;
      },
    };
  },
};
