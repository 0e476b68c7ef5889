/**
 * What a sandbox may ask for. The sandbox is hostile: every payload is parsed here, checked against the
 * run it belongs to, and answered with a reply, never with an exception.
 */
import { z } from "zod";
import { describeError } from "../shared/errors.ts";
import type { RpcPayload, RpcReply } from "../wire/messages.ts";

/** The run a request belongs to. */
export interface RpcContext {
  /** Servers this run was given; no other can be called. */
  servers: readonly string[];
  /** Aborted when the run is over. */
  signal: AbortSignal;
}

/** Answers requests of a sandbox. */
export type RpcRouter = (payload: RpcPayload, context: RpcContext) => Promise<RpcReply>;

type Handler = (payload: RpcPayload, context: RpcContext) => RpcReply | Promise<RpcReply>;

const serverPayload = z.looseObject({ server: z.string() });

/** A router that knows no downstream servers. */
export function createRpcRouter(): RpcRouter {
  const handlers: Readonly<Record<string, Handler>> = {
    list_servers: (_payload, { servers }) => ({ success: true, servers: [...servers].sort() }),
    search_tool_docs: () => ({ success: true, results: [] }),
    call_tool: refuseServer,
    list_tools: refuseServer,
    query_tool_docs: refuseServer,
  };
  return async (payload, context) => {
    const handler = Object.hasOwn(handlers, payload.type) ? handlers[payload.type] : undefined;
    if (handler === undefined) {
      return { success: false, error: `Unknown request type: ${JSON.stringify(payload.type)}` };
    }
    try {
      return await handler(payload, context);
    } catch (error) {
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : describeError(error);
      return { success: false, error: `Cannot answer ${payload.type}: ${reason}` };
    }
  };
}

function refuseServer(payload: RpcPayload): RpcReply {
  const { server } = serverPayload.parse(payload);
  return { success: false, error: `Server '${server}' is not available` };
}
