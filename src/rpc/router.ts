/**
 * What a sandbox may ask for. The sandbox is hostile: every payload is parsed here, checked against the
 * run it belongs to, and answered with a reply, never with an exception.
 */
import { z } from "zod";
import type { RunReach } from "../downstream/for_run.ts";
import { describeError } from "../shared/errors.ts";
import type { MemoryStore } from "../store/records/memory_store.ts";
import type { SavedToolStore } from "../store/records/saved_tool_store.ts";
import type { RunFiles } from "../store/runs/run_files.ts";
import type { RunHistory } from "../store/runs/run_history.ts";
import type { RpcPayload, RpcReply } from "../wire/messages.ts";
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
export type RpcHandler = (
  payload: RpcPayload,
  context: RpcContext,
  deps: RpcDeps,
) => RpcReply | Promise<RpcReply>;

const HANDLERS: Readonly<Record<string, RpcHandler>> = {
  list_servers: (_payload, { reach }) => ({
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

/** A router that answers from `deps`. */
export function createRpcRouter(deps: RpcDeps): RpcRouter {
  return async (payload, context) => {
    const handler = Object.hasOwn(HANDLERS, payload.type) ? HANDLERS[payload.type] : undefined;
    if (handler === undefined) {
      return { success: false, error: `Unknown request type: ${JSON.stringify(payload.type)}` };
    }
    try {
      return await handler(payload, context, deps);
    } catch (error) {
      const reason = error instanceof z.ZodError
        ? `Cannot answer ${payload.type}: ${describePayloadProblem(payload, error)}`
        : describeError(error);
      return { success: false, error: reason };
    }
  };
}
