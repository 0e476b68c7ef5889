/** The floor: the SDK's own stdio server with one tool that gives back what it got. */
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "floor", version: "1.0.0" });
  server.registerTool("echo", { inputSchema: z.object({ code: z.string() }) }, ({ code }) => ({
    content: [{ type: "text", text: code }],
  }));
  return server;
});
