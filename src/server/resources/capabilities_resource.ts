/** The manual of the Python API as a resource: the same text `runtime.capability_summary()` gives. */
import type { McpServer } from "@modelcontextprotocol/server";
import manual from "python/sandbox_runtime/manual.md" with { type: "text" };
import { SERVER_NAME } from "../../shared/version.ts";

/** The manual as it is listed. */
export const CAPABILITIES = {
  uri: `resource://${SERVER_NAME}/capabilities`,
  name: "code-execution-capabilities",
  title: "Python sandbox manual",
  description: "The Python API inside run_python",
  mimeType: "text/markdown",
  size: new TextEncoder().encode(manual).length,
};

/** Adds the manual to a server. */
export function registerCapabilities(server: McpServer): void {
  const { uri, name, ...rest } = CAPABILITIES;
  const { mimeType } = rest;
  server.registerResource(name, uri, rest, () => ({ contents: [{ uri, mimeType, text: manual }] }));
}
