import { assertEquals } from "@std/assert";
import { createLogger, type LogLevel } from "../../../src/shared/log.ts";

function linesAt(level: LogLevel): string[] {
  const lines: string[] = [];
  const logger = createLogger(level, (line) => lines.push(line));
  for (const own of ["debug", "info", "warn", "error"] as const) logger[own](`at ${own}`);
  return lines;
}

Deno.test("createLogger() writes its level and those above", () => {
  assertEquals(linesAt("warn"), ["mcp-bridge warn: at warn", "mcp-bridge error: at error"]);
  assertEquals(linesAt("debug").length, 4);
});

Deno.test("createLogger() lets no text look like an entry of its own, or reach into the terminal", () => {
  const lines: string[] = [];
  const logger = createLogger("debug", (line) => lines.push(line));
  logger.warn(
    "it says: no\nmcp-bridge error: all is lost\r\x1b]52;c;cHduZWQ=\x07\x1b[2J\n  hint: stay",
  );
  assertEquals(lines, [
    "mcp-bridge warn: it says: no\n  mcp-bridge error: all is lost\n  hint: stay",
  ]);
});
