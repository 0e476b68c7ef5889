/** The transport to a server, by what its entry says. */
import { HttpClientTransport, SseClientTransport } from "./http_client_transports.ts";
import { type Environment, toServerEnvironment } from "./server_environment.ts";
import { StdioClientTransport } from "./stdio_client_transport.ts";
import type { Attempt } from "../connection/connect_plan.ts";
import type { ServerTransport } from "../../discovery/entry/server_entry.ts";

/** Any transport to a server. */
export type ClientTransport = StdioClientTransport | HttpClientTransport | SseClientTransport;

/** A new transport, not yet started. `env` are the variables of this process. */
export function createTransport(
  transport: ServerTransport,
  kind: Attempt["kind"],
  env: Environment,
): ClientTransport {
  if (transport.kind === "stdio") {
    const environment = toServerEnvironment(transport.env, env, Deno.build.os);
    return new StdioClientTransport({ ...transport, env: environment });
  }
  return kind === "sse" ? new SseClientTransport(transport) : new HttpClientTransport(transport);
}

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
