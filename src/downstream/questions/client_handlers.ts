/** Requests that a server of the old era sends over its connection: handed on, or refused with a reason. */
import {
  type Client,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  ProtocolError,
} from "@modelcontextprotocol/client";
import type { Answer, Asked } from "../../questions/question.ts";
import { isQuestionMethod, questionSchema } from "./question_schema.ts";

/**
 * Has `client` hand on what its server asks. Not by the SDK's handlers for each kind: they refuse what was
 * not declared, without a reason that helps.
 */
export function installHandlers(
  client: Client,
  server: string,
  ask: (asked: Asked) => Promise<Answer>,
): void {
  client.fallbackRequestHandler = async ({ method, params }, { mcpReq: { signal } }) => {
    if (!isQuestionMethod(method)) {
      throw new ProtocolError(METHOD_NOT_FOUND, `Cannot answer "${method}": it is not known here`);
    }
    const parsed = questionSchema.safeParse({ method, params });
    if (!parsed.success) {
      const fields = parsed.error.issues.map(({ path }) => `"${path.join(".")}"`).join(", ");
      throw new ProtocolError(INVALID_PARAMS, `Cannot answer "${method}": wrong ${fields}`);
    }
    return await ask({ server, question: parsed.data, signal });
  };
}
