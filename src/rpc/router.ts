/**
 * What a sandbox may ask for. The sandbox is hostile: every payload is parsed here, checked against the
 * run it belongs to, and answered with a reply, never with an exception.
 */
import { z } from "zod";
import type { Downstream } from "../downstream/downstream.ts";
import type { Asker } from "../questions/asker.ts";
import { describeError } from "../shared/errors.ts";
import type { PausableClock } from "../shared/pausable_clock.ts";
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
  /** Servers this run was given; no other can be called. */
  servers: readonly string[];
  /** Aborted when the run is over. */
  signal: AbortSignal;
  /** Milliseconds that are left of the run's time. */
  remainingMs: () => number;
  /** The files of this run, and of no other. */
  files: RunFiles;
  /** Earlier runs of the same session. */
  history: RunHistory;
  /** Told of each downstream call, for progress. */
  onCall?: (label: string) => void;
  /** Told what the answer has to say besides what the program prints. */
  onNote?: (line: string) => void;
  /** The client of the run, to whom questions of servers go. The sandbox has no part in them. */
  asker?: Asker | undefined;
  /** The time of the run. */
  clock?: PausableClock;
}

/** Answers requests of a sandbox. Never rejects. */
export type RpcRouter = (payload: RpcPayload, context: RpcContext) => Promise<RpcReply>;

/** What requests are answered from. */
export interface RpcDeps {
  /** The user's servers. */
  downstream: Downstream;
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
  list_servers: (_payload, { servers }) => ({ success: true, servers: [...servers].sort() }),
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
