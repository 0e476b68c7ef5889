/**
 * What a downstream server may ask of us: something of the user (elicitation), of a model (sampling), or
 * which folders matter (roots). Whoever can answer is passed in; what nobody answers is refused in words
 * that the server can hand on.
 */
import {
  type Client,
  type ClientCapabilities,
  type CreateMessageRequest,
  type CreateMessageResult,
  type ElicitRequest,
  type ElicitResult,
  type ListRootsResult,
  METHOD_NOT_FOUND,
  ProtocolError,
} from "@modelcontextprotocol/client";

/** Who asks, and until when the answer is wanted. */
export interface AskContext {
  /** Name of the downstream server. */
  server: string;
  signal: AbortSignal;
}

/** Answers to requests of downstream servers; a kind that is absent is refused. */
export interface ClientHandlers {
  elicit?: (params: ElicitRequest["params"], context: AskContext) => Promise<ElicitResult>;
  sample?: (
    params: CreateMessageRequest["params"],
    context: AskContext,
  ) => Promise<CreateMessageResult>;
  listRoots?: (context: AskContext) => Promise<ListRootsResult>;
}

/** The capabilities that go with `handlers`. */
export function toCapabilities(handlers: ClientHandlers): ClientCapabilities {
  return {
    // Fields the answer leaves out get the defaults that the question named.
    ...(handlers.elicit && { elicitation: { form: { applyDefaults: true } } }),
    ...(handlers.sample && { sampling: {} }),
    ...(handlers.listRoots && { roots: {} }),
  };
}

/** Has `client` answer by `handlers` and refuse the rest. */
export function installHandlers(client: Client, server: string, handlers: ClientHandlers): void {
  const { elicit, sample, listRoots } = handlers;
  if (elicit) {
    client.setRequestHandler(
      "elicitation/create",
      ({ params }, { mcpReq: { signal } }) => elicit(params, { server, signal }),
    );
  }
  if (sample) {
    client.setRequestHandler(
      "sampling/createMessage",
      ({ params }, { mcpReq: { signal } }) => sample(params, { server, signal }),
    );
  }
  if (listRoots) {
    client.setRequestHandler(
      "roots/list",
      (_request, { mcpReq: { signal } }) => listRoots({ server, signal }),
    );
  }
  client.fallbackRequestHandler = ({ method }) => {
    throw new ProtocolError(METHOD_NOT_FOUND, toRefusal(method));
  };
}

/** Why a request of a server is refused. */
export function toRefusal(method: string): string {
  switch (method) {
    case "elicitation/create":
      return "Cannot ask the user: this client has nobody to ask (elicitation/create)";
    case "sampling/createMessage":
      return "Cannot ask a model: this client has none to offer (sampling/createMessage)";
    case "roots/list":
      return "Cannot list roots: this client shares no folders (roots/list)";
    default:
      return `Cannot answer "${method}": this client does not know it`;
  }
}
