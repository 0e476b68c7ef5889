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
