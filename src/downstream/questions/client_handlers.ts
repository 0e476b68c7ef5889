/** Requests that a server of the old era sends over its connection: handed on, or refused with a reason. */
import {
  type Client,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  ProtocolError,
} from "@modelcontextprotocol/client";
import { Refusal } from "../../questions/asker.ts";
import type { Answer, Asked } from "../../questions/question.ts";
import { isQuestionMethod, questionSchema } from "./question_schema.ts";

/** What the protocol calls a refusal. */
const CODE_OF: Readonly<Record<Refusal["why"], number>> = {
  unable: METHOD_NOT_FOUND,
  crowded: INVALID_REQUEST,
};

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
    try {
      return { ...await ask({ server, question: parsed.data, signal }) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new ProtocolError(CODE_OF[error.why], error.message);
    }
  };
}
