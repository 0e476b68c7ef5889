/** The transport to a server, by what its entry says. */
import type { ServerTransport } from "../../discovery/entry/server_entry.ts";
import type { Attempt } from "../connection/connect_plan.ts";
import { HttpClientTransport, SseClientTransport } from "./http_client_transports.ts";
import { type Environment, toServerEnvironment } from "./server_environment.ts";
import { StdioClientTransport } from "./stdio_client_transport.ts";

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
