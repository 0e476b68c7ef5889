/** What a server process wrote before it failed, as the end of an error text. */
import type { ClientTransport } from "../transport/create_transport.ts";

/** The tail of its stderr and its stray output, each on new lines; empty if there is neither. */
export function describeLastWords(transport: ClientTransport): string {
  if (!("strayOutput" in transport)) return "";
  const { strayOutput, process } = transport;
  const parts: string[] = [];
  if (strayOutput !== undefined) {
    const { lines, first } = strayOutput;
    const count = lines === 1 ? "1 line that is" : `${lines} lines that are`;
    parts.push(`its stdout has ${count} no MCP message: ${JSON.stringify(first)}`);
  }
  const tail = process?.stderrTail ?? [];
  if (tail.length > 0) parts.push(`its stderr ends with:\n${tail.map((l) => `  ${l}`).join("\n")}`);
  return parts.map((part) => `\n${part}`).join("");
}
