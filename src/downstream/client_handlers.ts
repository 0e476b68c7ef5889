/** Requests that a server of the old era sends over its connection: handed on, or refused with a reason. */
import {
  type Client,
  type CreateMessageResult,
  type ElicitResult,
  type ListRootsResult,
  METHOD_NOT_FOUND,
  ProtocolError,
} from "@modelcontextprotocol/client";
import {
  type Abilities,
  type Answer,
  type Asked,
  type Question,
  toCapabilities,
} from "./question.ts";

/** Answers questions that come over a connection. */
export interface ConnectionAsker {
  /** What the server was told when the connection was made. */
  abilities: Abilities;
  ask(asked: Asked): Promise<Answer>;
}

/** Has `client` hand on what its server asks, and refuse the rest. */
export function installHandlers(client: Client, server: string, asker: ConnectionAsker): void {
  // The SDK checks the shape of each answer.
  const { elicitation, sampling, roots } = toCapabilities(asker.abilities);
  if (elicitation) {
    client.setRequestHandler(
      "elicitation/create",
      async ({ method, params }, { mcpReq: { signal } }) =>
        await asker.ask({ server, question: { method, params }, signal }) as ElicitResult,
    );
  }
  if (sampling) {
    client.setRequestHandler(
      "sampling/createMessage",
      async ({ method, params }, { mcpReq: { signal } }) =>
        await asker.ask({ server, question: { method, params }, signal }) as CreateMessageResult,
    );
  }
  if (roots) {
    client.setRequestHandler(
      "roots/list",
      async ({ method }, { mcpReq: { signal } }) =>
        await asker.ask({ server, question: { method }, signal }) as ListRootsResult,
    );
  }
  client.fallbackRequestHandler = async ({ method, params }, { mcpReq: { signal } }) => {
    if (!isQuestion(method)) {
      throw new ProtocolError(METHOD_NOT_FOUND, `Cannot answer "${method}": it is not known here`);
    }
    // Not declared, so that this ends in the reason why not.
    const question = { method, params: params ?? {} } as Question;
    return await asker.ask({ server, question, signal });
  };
}

function isQuestion(method: string): boolean {
  return ["elicitation/create", "sampling/createMessage", "roots/list"].includes(method);
}
