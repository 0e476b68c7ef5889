/** The manual of the Python API as a resource: the same text `runtime.capability_summary()` gives. */
import type { McpServer } from "@modelcontextprotocol/server";
import manual from "../../runtime/sandbox_runtime/manual.md" with { type: "text" };
import { SERVER_NAME } from "../shared/version.ts";

const URI = `resource://${SERVER_NAME}/capabilities`;
const MIME_TYPE = "text/markdown";

/** Adds the manual to a server. */
export function registerCapabilities(server: McpServer): void {
  server.registerResource("code-execution-capabilities", URI, {
    title: "Python sandbox manual",
    description: "The Python API inside run_python",
    mimeType: MIME_TYPE,
    size: new TextEncoder().encode(manual).length,
  }, () => ({ contents: [{ uri: URI, mimeType: MIME_TYPE, text: manual }] }));
}
