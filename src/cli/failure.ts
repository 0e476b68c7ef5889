/** How the program ends when a command could not be carried out. */
import { AppError, describeError } from "../shared/errors.ts";
import { createLogger } from "../shared/log.ts";

/** The program itself failed. */
const EXIT_FAILURE = 1;

/** It cannot be run as it was started; `--help` says what belongs to this. */
const EXIT_USAGE = 2;

/** Says on stderr why the program ends, and gives its exit code. */
export function explain(error: unknown): number {
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
