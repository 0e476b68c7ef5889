/** mcp-bridge: argv → settings → app → serve. The only place that ends the process. */
import { createApp } from "./src/app.ts";
import { parseArgs } from "./src/config/args.ts";
import { loadConfig, loadDenoEnvironment, loadSystem, readVariable } from "./src/config/load.ts";
import { serveStdio } from "./src/server/stdio.ts";
import { describeError } from "./src/shared/errors.ts";
import { createLogger } from "./src/shared/log.ts";

/** Exit code for a command line or setting that cannot be used. */
const EXIT_USAGE = 2;

async function main(args: readonly string[]): Promise<number> {
  const { command, flags } = parseArgs(args);
  if (command === "help") {
    const { formatHelp } = await import("./src/config/help.ts");
    return print(formatHelp());
  }
  if (command === "version") {
    const { VERSION } = await import("./src/shared/version.ts");
    return print(`${VERSION}\n`);
  }
  const config = loadConfig(flags);
  const log = createLogger(config.logLevel);
  const denoEnv = loadDenoEnvironment();
  await using app = createApp(config, { log, denoEnv, system: loadSystem(), readVariable });
  await Promise.race([serveStdio(app.serverDeps, { logger: log }), stopSignal()]);
  return 0;
}

function print(text: string): number {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
  return 0;
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

if (import.meta.main) {
  const { CHILD_COMMAND } = await import("./src/engine/wasm/child_command.ts");
  if (Deno.args[0] === CHILD_COMMAND) {
    // The compiled program is its own child; from source the child is a program of its own.
    const { runChild } = await import("./src/engine/wasm/child/main.ts");
    await runChild(Deno.args.slice(1));
  } else {
    try {
      Deno.exit(await main(Deno.args));
    } catch (error) {
      createLogger("error").error(describeError(error));
      Deno.exit(EXIT_USAGE);
    }
  }
}
