/**
 * A question in the form our client gets it, and the client's answer. The client knows only us, so the text
 * for the person begins with the name of the server that asks. Pure.
 */
import {
  type CreateMessageRequest,
  type ElicitRequest,
  type ElicitRequestFormParams,
  isSpecType,
  type ListRootsRequest,
} from "@modelcontextprotocol/server";
import type { Answer, Asked, Question } from "../../questions/question.ts";
import { printable } from "../../shared/printable.ts";

/** Says in `_meta` which server asks, for clients that show more than the text. */
const SERVER_META_KEY = "mcp-bridge/server";

/** Nothing that belongs into a question is deeper; what is, is left out. */
const MAX_DEPTH = 64;

/** The request that a client gets. */
export type Forwarded = ElicitRequest | CreateMessageRequest | Pick<ListRootsRequest, "method">;

/**
 * What is sent to a client; `isModern` if it speaks 2026-07-28. What is inside is as the server wrote it: the
 * client is the one to check it.
 */
export function toForwarded({ server, question }: Asked, isModern: boolean): Forwarded {
  const _meta = { [SERVER_META_KEY]: server };
  switch (question.kind) {
    case "form": {
      const message = `[${server}] ${toShown(question.message)}`;
      const schema = toShown(question.schema) as ElicitRequestFormParams["requestedSchema"];
      const params = { mode: "form" as const, message, requestedSchema: schema, _meta };
      return { method: "elicitation/create", params };
    }
    case "url": {
      const { id = crypto.randomUUID() } = question;
      const message = `[${server}] ${toShown(question.message)}`;
      const url = printable(question.url);
      const params = { mode: "url" as const, message, url, elicitationId: id, _meta };
      // 2026-07-28 has no such id, every version before it needs one.
      if (isModern) delete (params as Partial<typeof params>).elicitationId;
      return { method: "elicitation/create", params };
    }
    case "sampling": {
      // "This server" would mean us, and a task of theirs is not known to the client.
      const { includeContext: _context, task: _task, ...prompt } = question.prompt;
      const params = { ...toShown(prompt), _meta } as CreateMessageRequest["params"];
      return { method: "sampling/createMessage", params };
    }
    case "roots":
      return { method: "roots/list" };
  }
}

/** Whether a client's answer has the shape of one; what is in it is for whoever asked. */
export function isAnswer({ kind }: Question, value: unknown): value is Answer {
  switch (kind) {
    case "form":
    case "url":
      return isSpecType.ElicitResult(value);
    case "sampling":
      return isSpecType.CreateMessageResult(value) ||
        isSpecType.CreateMessageResultWithTools(value);
    case "roots":
      return isSpecType.ListRootsResult(value);
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
