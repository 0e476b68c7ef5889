/** `mcp-bridge` without a command: serves MCP on stdin and stdout until stdin closes or a signal comes. */
import { createApp } from "../app.ts";
import { loadDenoEnvironment, loadSystem, readVariable } from "../config/load.ts";
import type { Flags } from "../config/schema.ts";
import { serveStdio } from "../server/stdio/stdio.ts";
import { outliveFaults } from "../shared/faults.ts";
import { createLogger } from "../shared/log.ts";
import { loadSettings } from "./settings.ts";

/** Serves one client to its end. */
export async function serve(flags: Flags): Promise<void> {
  const config = loadSettings(flags);
  const log = createLogger(config.logLevel);
  outliveFaults(log);
  const denoEnv = loadDenoEnvironment();
  await using app = createApp(config, { log, denoEnv, system: loadSystem(), readVariable });
  const { session } = app.sessions.open({ shared: true });
  await Promise.race([serveStdio(app.serve(session), { logger: log }), stopSignal()]);
}

/** Resolves when the system asks the process to end. */
function stopSignal(): Promise<void> {
  const names: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP"];
  return new Promise((resolve) => {
    for (const name of names) Deno.addSignalListener(name, () => resolve());
  });
}
