/** Log lines for the person who runs the server. They go to stderr, since stdout is the wire. */
import { printable } from "./printable.ts";

/** Levels, most talkative first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** How much is logged: a level and everything after it. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Takes one message per call, at one of the levels. */
export type Logger = Readonly<Record<LogLevel, (message: string) => void>>;

/** A logger that writes messages of `level` and above, to stderr unless told otherwise. */
export function createLogger(
  level: LogLevel,
  // deno-lint-ignore no-console
  write: (line: string) => void = console.error,
): Logger {
  const lowest = LOG_LEVELS.indexOf(level);
  const at = (own: LogLevel) => (message: string) => {
    if (LOG_LEVELS.indexOf(own) >= lowest) write(`mcp-bridge ${own}: ${toEntry(message)}`);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Lines after the first stand in from the margin: no text of others can look like an entry of its own. */
function toEntry(message: string): string {
  return printable(message, "lines").replaceAll(/\n(?! {2})/g, "\n  ");
}
