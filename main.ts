/** mcp-bridge: argv → the one command it asks for, and only its code is loaded. The only place that ends the process. */
import { type CommandLine, readCommandLine } from "./src/cli/command_line.ts";
import { CHILD_COMMAND } from "./src/engine/wasm/child_command.ts";

/** Carries out one command and gives what it has to print. */
async function run({ command, words, flags }: CommandLine): Promise<string | void> {
  switch (command) {
    case "help":
      return (await import("./src/cli/help.ts")).formatHelp();
    case "version":
      return (await import("./src/cli/version.ts")).formatVersion();
    case "saved-tools":
      return await (await import("./src/cli/saved_tools.ts")).runSavedTools(words, flags);
    case "serve":
      return await (await import("./src/cli/serve.ts")).serve(flags);
  }
}

/** Gives the exit code. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const text = await run(await readCommandLine(args));
    if (text) Deno.stdout.writeSync(new TextEncoder().encode(text));
    return 0;
  } catch (error) {
    return (await import("./src/cli/failure.ts")).explain(error);
  }
}

if (import.meta.main) {
  if (Deno.args[0] === CHILD_COMMAND) {
    // The compiled program is its own child; from source the child is a program of its own.
    const { runChild } = await import("./src/engine/wasm/child/main.ts");
    await runChild(Deno.args.slice(1));
  } else {
    Deno.exit(await main(Deno.args));
  }
}
