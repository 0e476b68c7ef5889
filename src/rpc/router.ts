/**
 * Answers what a sandbox asks for. The sandbox is hostile: every payload is parsed here, checked against the
 * run it belongs to, and answered with a reply, never with an exception.
 */
import { z } from "zod";
import type { RunReach } from "../downstream/for_run.ts";
import { describeError } from "../shared/errors.ts";
import type { MemoryStore } from "../store/records/memory_store.ts";
import type { SavedToolStore } from "../store/records/saved_tool_store.ts";
import type { RunFiles } from "../store/runs/run_files.ts";
import type { RunHistory } from "../store/runs/run_history.ts";
import type { RpcPayload } from "../wire/messages.ts";
import { RPC, type RpcKind, type RpcReply, type RpcRequest } from "../wire/rpc.ts";
import { readOutput, saveFile, showFile } from "./artifacts.ts";
import { callTool } from "./call_tool.ts";
import { memoryHandlers } from "./memory.ts";
import { contentHandlers } from "./server_content.ts";
import { describePayloadProblem } from "./payload_problem.ts";
import { listTools, queryToolDocs, searchToolDocs, stubs } from "./tool_docs.ts";

/** The run a request belongs to. */
export interface RpcContext {
  /** What it may reach of the user's servers. */
  reach: RunReach;
  /** The files of this run, and of no other. */
  files: RunFiles;
  /** Earlier runs of the same session. */
  history: RunHistory;
  /** Told what the answer has to say besides what the program prints. */
  onNote?: (line: string) => void;
}

/** Answers requests of a sandbox. Never rejects. */
export type RpcRouter = (payload: RpcPayload, context: RpcContext) => Promise<RpcReply>;

/** What requests are answered from. */
export interface RpcDeps {
  /** What programs keep; absent where nothing can be kept. */
  memory?: () => Promise<MemoryStore>;
  /** Functions that programs keep; absent where nothing can be kept. */
  savedTools?: () => Promise<SavedToolStore>;
}

/** Answers one kind of request; what it throws becomes the error of the reply. */
export type RpcHandler<K extends RpcKind> = (
  request: RpcRequest<K>,
  context: RpcContext,
  deps: RpcDeps,
) => RpcReply<K> | Promise<RpcReply<K>>;

/** A handler for each kind. */
export type RpcHandlers = { readonly [K in RpcKind]: RpcHandler<K> };

const HANDLERS: RpcHandlers = {
  list_servers: (_request, { reach }) => ({
    success: true,
    servers: [...reach.servers].sort(),
  }),
  call_tool: callTool,
  list_tools: listTools,
  query_tool_docs: queryToolDocs,
  search_tool_docs: searchToolDocs,
  stubs,
  ...contentHandlers,
  ...memoryHandlers,
  save_file: saveFile,
  show_file: showFile,
  read_output: readOutput,
};

/** The same table, as one that a handler can be found in together with what it takes. */
const SCHEMAS: { readonly [K in RpcKind]: { request: z.ZodType<RpcRequest<K>> } } = RPC;

/** A router that answers from `deps`. */
export function createRpcRouter(deps: RpcDeps): RpcRouter {
  return async (payload, context) => {
    const { type } = payload;
    if (!isKind(type)) {
      return { success: false, error: `Unknown request type: ${JSON.stringify(type)}` };
    }
    try {
      return await answer(type, payload, context, deps);
    } catch (error) {
      const reason = error instanceof z.ZodError
        ? `Cannot answer ${type}: ${describePayloadProblem(payload, error)}`
        : describeError(error);
      return { success: false, error: reason };
    }
  };
}

function answer<K extends RpcKind>(
  kind: K,
  payload: RpcPayload,
  context: RpcContext,
  deps: RpcDeps,
): RpcReply<K> | Promise<RpcReply<K>> {
  return HANDLERS[kind](SCHEMAS[kind].request.parse(payload), context, deps);
}

function isKind(type: string): type is RpcKind {
  return Object.hasOwn(RPC, type);
}
