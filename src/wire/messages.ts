/**
 * The whole protocol between host and sandbox, on one screen; what an `rpc_request` can ask for is in `rpc.ts`.
 *
 * One JSON object per line, UTF-8, both ways. The sandbox is hostile: whatever it sends passes
 * {@link parseSandboxMessage}, and a message that does not fit closes the channel. Field names are
 * the ones Python sees (snake case). `tests/fixtures/wire.json` holds examples that both sides check.
 */
import { z } from "zod";
import { findMember } from "../shared/json/json_span.ts";
import { JsonText } from "../shared/json/json_text.ts";
import type { RpcReply, ToolMetadata } from "./rpc.ts";

/** Version of this protocol, announced by the runtime in `ready`. */
const PROTOCOL_VERSION = 1;

/** A tool that the run may call. */
export interface LoadedToolMetadata extends ToolMetadata {
  /** What calls are taken and shown by, in the terms of the sandbox's language. */
  call: object;
}

/** A downstream server of one run, as the runtime sees it. */
export interface ServerMetadata {
  name: string;
  alias: string;
  /** Another number whenever the tools are others. A server that could not be started has none. */
  revision?: number;
  /** Left out where the sandbox has been told of them under this number. */
  tools?: readonly LoadedToolMetadata[];
  /** Why it could not be started; its tools are not known then. */
  error?: string;
}

/** A function kept from an earlier session, or why it cannot be read. */
export type SavedToolSource = { name: string; source: string } | { name: string; error: string };

/** What the host sends. */
export type HostMessage =
  | {
    type: "execute";
    id: string;
    code: string;
    servers: readonly ServerMetadata[];
    /** Every discovered server: name → description. Left out where they are those of the run before. */
    discovered?: Record<string, string>;
    /** Functions of earlier sessions; only until a run of the sandbox has begun, and only if there are any. */
    saved_tools?: readonly SavedToolSource[];
  }
  | { type: "rpc_response"; id: string; payload: RpcReply }
  | { type: "interrupt"; id: string }
  | { type: "ping" }
  | { type: "shutdown" };

const id = z.string().min(1).max(128);

/** What a run asks the host for; `type` picks the schema in `rpc.ts`, which parses the rest. */
const rpcPayload = z.looseObject({ type: z.string().min(1).max(64) });

const sandboxMessage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("ready"),
    protocol: z.literal(PROTOCOL_VERSION),
    python: z.string().max(64),
    engine: z.string().max(32),
  }),
  z.object({ type: z.literal("stdout"), id, data: z.string() }),
  z.object({ type: z.literal("stderr"), id, data: z.string() }),
  z.object({ type: z.literal("rpc_request"), id, payload: rpcPayload }),
  z.object({
    type: z.literal("execution_done"),
    id,
    status: z.enum(["ok", "error", "exit", "interrupted"]),
    error: z.string().optional(),
    exit_code: z.int().optional(),
    /** The line it was on when it was interrupted. */
    place: z.string().max(1000).optional(),
  }),
  z.object({ type: z.literal("pong") }),
]);

/** What the sandbox sends. */
export type SandboxMessage = z.infer<typeof sandboxMessage>;

/** The sandbox's word that a run is over. */
export type ExecutionDone = Extract<SandboxMessage, { type: "execution_done" }>;

/** What is asked for in an `rpc_request`. */
export type RpcPayload = z.infer<typeof rpcPayload>;

/**
 * Reads one line of the sandbox. The arguments of a tool stay text, where they are an object. A long line is
 * for `line.ts`.
 *
 * @throws {Error} if it is not JSON or not a message of the protocol.
 */
export function parseSandboxMessage(line: string): SandboxMessage {
  const message = sandboxMessage.parse(JSON.parse(line));
  if (!isToolCall(message)) return message;
  if (isObject(message.payload["arguments"])) message.payload["arguments"] = argumentsOf(line);
  return message;
}

/** Whether it asks for a tool's answer. */
export function isToolCall(
  message: SandboxMessage,
): message is Extract<SandboxMessage, { type: "rpc_request" }> {
  return message.type === "rpc_request" && message.payload.type === "call_tool";
}

/** SECURITY: wire boundary. JSON.parse took the line as a whole, so a part of it is one value and no more. */
function argumentsOf(line: string): JsonText {
  const payload = findMember(line, "payload")!;
  const { start, end } = findMember(line, "arguments", payload.start)!;
  return new JsonText(line.slice(start, end));
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One message as a line, newline included. */
export function formatHostMessage(message: HostMessage): string {
  return hostMessageParts(message).join("");
}

/** What {@link formatHostMessage} gives, in parts: a long result is not copied. */
export function hostMessageParts(message: HostMessage): string[] {
  const json = JSON.stringify(message);
  const result = message.type === "rpc_response" && "result" in message.payload
    ? message.payload.result
    : undefined;
  return result instanceof JsonText ? [...result.partsIn(json), "\n"] : [json, "\n"];
}
