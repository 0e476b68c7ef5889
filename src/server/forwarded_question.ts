/**
 * A question of a downstream server in the form our client gets it. The client knows only us, so the text
 * for the person begins with the name of the server that asks. Pure.
 */
import type { Asked, Question } from "../downstream/question.ts";

/** Says in `_meta` which server asks, for clients that show more than the text. */
const SERVER_META_KEY = "mcp-bridge/server";

/** What is sent to a client; `isModern` if it speaks 2026-07-28. */
export function toForwarded({ server, question }: Asked, isModern: boolean): Question {
  const _meta = { [SERVER_META_KEY]: server };
  switch (question.method) {
    case "elicitation/create": {
      const { method, params } = question;
      const message = `[${server}] ${params.message}`;
      if (params.mode !== "url") {
        const { requestedSchema } = params;
        return { method, params: { mode: "form", message, requestedSchema, _meta } };
      }
      const { mode, url, elicitationId = crypto.randomUUID() } = params;
      const forwarded = { mode, message, url, elicitationId, _meta };
      // 2026-07-28 has no such id, every version before it needs one.
      if (isModern) delete (forwarded as Partial<typeof forwarded>).elicitationId;
      return { method, params: forwarded };
    }
    case "sampling/createMessage": {
      // "This server" would mean us, and a task of theirs is not known to the client.
      const { includeContext: _context, task: _task, ...params } = question.params;
      return { method: question.method, params: { ...params, _meta } };
    }
    case "roots/list":
      return question;
  }
}
