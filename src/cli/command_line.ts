/** Which command a command line asks for. Those that need no settings are known without loading them. */
import type { Flags } from "../config/schema.ts";

/** What the program can do. */
export type Command = "serve" | "saved-tools" | "help" | "version";

/** A command line that was understood. */
export interface CommandLine {
  command: Command;
  /** What stands behind the command. */
  words: readonly string[];
  flags: Flags;
}

/** Commands that are a flag. */
export const COMMAND_OF_FLAG: ReadonlyMap<string, Command> = new Map([
  ["--help", "help"],
  ["-h", "help"],
  ["--version", "version"],
]);

/**
 * Reads the arguments of the program.
 *
 * @throws {AppError} `config` if an argument is unknown or lacks its value.
 */
export async function readCommandLine(argv: readonly string[]): Promise<CommandLine> {
  for (const argument of argv) {
    const command = COMMAND_OF_FLAG.get(argument);
    // Whoever asks for help gets it, whatever else stands on the line.
    if (command !== undefined) return { command, words: [], flags: {} };
  }
  const { parseArgs } = await import("./args.ts");
  return parseArgs(argv);
}
