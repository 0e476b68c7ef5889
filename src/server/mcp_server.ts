/** The server one client talks to: one tool, the manual and the artifacts. Holds no state of its own. */
import { McpServer } from "@modelcontextprotocol/server";
import { SERVER_NAME, VERSION } from "../shared/version.ts";
import { type ArtifactReader, registerArtifacts } from "./resources/artifact_resources.ts";
import { registerCapabilities } from "./resources/capabilities_resource.ts";
import { type ArtifactLister, listInPages } from "./resources/resource_list.ts";
import { registerRunPython, type RunPythonDeps } from "./tools/run_python_tool.ts";

/** What a server is made of. */
export interface McpServerDeps extends RunPythonDeps {
  artifacts: ArtifactReader & ArtifactLister;
}

const INSTRUCTIONS =
  "Use run_python to call the user's other MCP servers from code, and whenever loops, filters or " +
  "calculations beat reading raw data. Start with print(runtime.discovered_servers()) to see the " +
  'servers, or await runtime.search_tool_docs("words") to find a tool; then name the servers you ' +
  "need in `servers`. Handle large results in Python and print only what matters. Variables stay " +
  "between calls.";

/** How long a client may keep what does not change while the process lives. */
const CONSTANT = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** A fresh server for one connection. */
export function createMcpServer(deps: McpServerDeps): McpServer {
  const server = new McpServer({ name: SERVER_NAME, version: VERSION }, {
    instructions: INSTRUCTIONS,
    capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    cacheHints: { "tools/list": CONSTANT, "resources/templates/list": CONSTANT },
  });
  registerRunPython(server, deps);
  registerCapabilities(server);
  registerArtifacts(server, deps.artifacts);
  listInPages(server, deps.artifacts);
  return server;
}
