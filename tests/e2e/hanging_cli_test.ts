/** The end of the server while it waits for a container CLI that does not answer. Scripts: not for Windows. */
import { assertEquals } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { assertWithin, measure, pause } from "../support/figures.ts";
import { listDescendants, waitUntilGone } from "../support/processes.ts";
import { StdioClient } from "../support/stdio_client.ts";

/** The end of stdin ends the server within 1 s; twice that allows for a busy machine. */
const END_MS = 2000;

const INFO = JSON.stringify({
  host: { security: {}, cgroupVersion: "v2", cgroupControllers: ["memory", "pids", "cpu"] },
  version: { Version: "5.0.0" },
});

/** What a CLI does with its first argument; what is not named hangs. The shell has a child of its own. */
const HANGING: ReadonlyArray<[where: string, answers: string]> = [
  ["at the first question", ""],
  ["when it is asked for the image", `info) echo '${INFO}'; exit 0;;`],
  ["while it pulls the image", `info) echo '${INFO}'; exit 0;; image) exit 1;;`],
];

const ENDS: ReadonlyArray<[what: string, end: (client: StdioClient) => Promise<void>]> = [
  ["the end of stdin", (client) => client.closeStdin()],
  ["SIGTERM", (client) => Promise.resolve(client.kill("SIGTERM"))],
];

for (const [where, answers] of HANGING) {
  for (const [what, end] of ENDS) {
    Deno.test(`${what} ends a server whose container CLI hangs ${where}`, async () => {
      await using home = new BridgeHome();
      const cli = `${home.folder}/podman`;
      const script = `#!/bin/sh\ncase "$1" in ${answers} *) sleep 600; exit 1;; esac\n`;
      await Deno.writeTextFile(cli, script, { mode: 0o755 });
      const env = { MCP_BRIDGE_ENGINE: "podman", MCP_BRIDGE_RUNTIME: cli };
      await using client = await StdioClient.connect(home, { env });
      client.start("print(1)");
      let children = await listDescendants(client.pid);
      while (!children.some(({ args }) => args === "sleep 600")) {
        await pause(20);
        children = await listDescendants(client.pid);
      }
      const ms = await measure(async () => {
        await end(client);
        assertEquals((await client.ended).code, 0, client.stderr);
      });
      assertWithin(`${what} with a hanging CLI to exit`, ms, END_MS);
      assertEquals(await waitUntilGone(children, END_MS) !== undefined, true);
    });
  }
}
