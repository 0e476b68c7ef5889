/** A small MCP server that keeps state: a todo list, in memory while it runs. */
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const items: Array<{ id: number; text: string; done: boolean }> = [];

function answer(value: object) {
  return { content: [{ type: "text" as const, text: JSON.stringify(value) }] };
}

serveStdio(() => {
  const server = new McpServer({ name: "todo", version: "1.0.0" });
  server.registerTool("add", {
    description: "Add an item to the todo list",
    inputSchema: z.object({ text: z.string() }),
  }, ({ text }) => {
    const item = { id: items.length + 1, text, done: false };
    items.push(item);
    return answer(item);
  });
  server.registerTool("list", { description: "All items of the todo list" }, () => answer(items));
  server.registerTool("complete", {
    description: "Mark an item as done",
    inputSchema: z.object({ id: z.number().int() }),
  }, ({ id }) => {
    const item = items.find((item) => item.id === id);
    if (item === undefined) {
      return { content: [{ type: "text", text: `No item with id ${id}` }], isError: true };
    }
    item.done = true;
    return answer(item);
  });
  return server;
});
