/** mcp-bridge: argv → settings → app → serve, or another command. The only place that ends the process. */
import { createApp } from "./src/app.ts";
import { parseArgs } from "./src/cli/args.ts";
import { checkDenoVersion } from "./src/cli/deno_version.ts";
import { loadConfig, loadDenoEnvironment, loadSystem, readVariable } from "./src/config/load.ts";
import { serveStdio } from "./src/server/stdio/stdio.ts";
import { AppError, describeError } from "./src/shared/errors.ts";
import { outliveFaults } from "./src/shared/faults.ts";
import { createLogger } from "./src/shared/log.ts";

/** The program itself failed. */
const EXIT_FAILURE = 1;

/** It cannot be run as it was started; `--help` says what belongs to this. */
const EXIT_USAGE = 2;

async function main(args: readonly string[]): Promise<number> {
  const { command, words, flags } = parseArgs(args);
  if (command === "help") {
    const { formatHelp } = await import("./src/cli/help.ts");
    return print(formatHelp());
  }
  if (command === "version") {
    const { VERSION } = await import("./src/shared/version.ts");
    return print(`${VERSION}\n`);
  }
  if (!Deno.build.standalone) checkDenoVersion(Deno.version.deno);
  const config = loadConfig(flags);
  if (command === "saved-tools") {
    const { savedTools } = await import("./src/cli/saved_tools.ts");
    return print(await savedTools(words, config.stateDir));
  }
  const log = createLogger(config.logLevel);
  outliveFaults(log);
  const denoEnv = loadDenoEnvironment();
  await using app = createApp(config, { log, denoEnv, system: loadSystem(), readVariable });
  const { session } = app.sessions.open({ shared: true });
  await Promise.race([serveStdio(app.serve(session), { logger: log }), stopSignal()]);
  return 0;
}

/** Says on stderr why the program ends, and gives its exit code. */
function explain(error: unknown): number {
  const { code, text } = describeEnd(error);
  createLogger("error").error(text);
  return code;
}

function describeEnd(error: unknown): { code: number; text: string } {
  if (error instanceof Deno.errors.NotCapable) {
    const hint = 'Start it with "deno run -P main.ts", which grants what it needs';
    return { code: EXIT_USAGE, text: `${error.message}\n  hint: ${hint}` };
  }
  const isUsage = error instanceof AppError && error.code === "config";
  return { code: isUsage ? EXIT_USAGE : EXIT_FAILURE, text: describeError(error) };
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
    Deno.exit(await main(Deno.args).catch(explain));
  }
}
