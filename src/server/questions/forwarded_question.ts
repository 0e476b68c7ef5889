/**
 * A question of a downstream server in the form our client gets it. The client knows only us, so the text
 * for the person begins with the name of the server that asks. Pure.
 */
import type { Asked, Question } from "../../questions/question.ts";
import { printable } from "../../shared/printable.ts";

/** Says in `_meta` which server asks, for clients that show more than the text. */
const SERVER_META_KEY = "mcp-bridge/server";

/** Nothing that belongs into a question is deeper; what is, is left out. */
const MAX_DEPTH = 64;

/** What is sent to a client; `isModern` if it speaks 2026-07-28. */
export function toForwarded({ server, question }: Asked, isModern: boolean): Question {
  const _meta = { [SERVER_META_KEY]: server };
  switch (question.method) {
    case "elicitation/create": {
      const { method, params } = question;
      const message = `[${server}] ${toShown(params.message)}`;
      if (params.mode !== "url") {
        const requestedSchema = toShown(params.requestedSchema);
        return { method, params: { mode: "form", message, requestedSchema, _meta } };
      }
      const { mode, elicitationId = crypto.randomUUID() } = params;
      const forwarded = { mode, message, url: printable(params.url), elicitationId, _meta };
      // 2026-07-28 has no such id, every version before it needs one.
      if (isModern) delete (forwarded as Partial<typeof forwarded>).elicitationId;
      return { method, params: forwarded };
    }
    case "sampling/createMessage": {
      // "This server" would mean us, and a task of theirs is not known to the client.
      const { includeContext: _context, task: _task, ...params } = question.params;
      return { method: question.method, params: { ...toShown(params), _meta } };
    }
    case "roots/list":
      return question;
  }
}

/**
 * The same data with every text in it as a person may see it, names of members included: with the colours of
 * a terminal one server could write another's name.
 */
function toShown<T>(data: T, depth?: number): T;
function toShown(data: unknown, depth = 0): unknown {
  if (typeof data === "string") return printable(data, "lines");
  if (typeof data !== "object" || data === null) return data;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(data)) return data.map((item) => toShown(item, depth + 1));
  const members = Object.entries(data);
  return Object.fromEntries(
    members.map(([name, value]) => [printable(name), toShown(value, depth + 1)]),
  );
}
