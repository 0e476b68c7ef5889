/** Sends one call over an open connection and tells a server's refusal from a connection that failed. */
import { isRefusal } from "./call_error.ts";
import {
  type CallToolResult,
  type Client,
  isCallToolResult,
  isInputRequiredResult,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type StandardSchemaV1,
} from "@modelcontextprotocol/client";
import type { ListedTool } from "../catalog/list_tools.ts";
import type { Connection } from "../connection/connect.ts";
import { answerInputs, type InputContext } from "../questions/input_requests.ts";
import type { OpenCall } from "../transport/call_texts.ts";
import type { CallOptions } from "../downstream.ts";
import { StdioClientTransport } from "../transport/stdio_client_transport.ts";
import type { Abilities } from "../../questions/asker.ts";
import { MAX_TIMER_MS } from "../../shared/deadline.ts";
import { AppError } from "../../shared/errors.ts";
import type { JsonText } from "../../shared/json/json_text.ts";
import type { PausableClock } from "../../shared/pausable_clock.ts";

/**
 * The answer to a call: a result, or the error the server gave in its place; `text` is either as it came. Where
 * the result is one long text, `longText` is that.
 */
export type CallReply =
  | { kind: "result"; result: CallToolResult; readonly text: JsonText; longText?: JsonText }
  | { kind: "error"; message: string; text: JsonText };

/** Whether a reply says why a call failed, in words that a person is shown. */
export function isFailure(reply: CallReply): boolean {
  return reply.kind === "error" || reply.result.isError === true;
}

/** How often a server may ask again before it has to come to a result. */
const MAX_ROUNDS = 50;

/** Pause before a call is repeated that the server put off without a question. */
const PUT_OFF_MS = 250;

type ResultSchema = StandardSchemaV1<unknown, CallToolResult>;

/** A result as it came; the schema that the SDK brings is made anew for each call, by way of an error. */
function toSchema(validate: ResultSchema["~standard"]["validate"]): ResultSchema {
  return { "~standard": { version: 1, vendor: "mcp-bridge", validate } };
}

const RESULTS: Readonly<Record<Connection["link"]["era"], ResultSchema>> = {
  legacy: toSchema((value) =>
    isCallToolResult(value) ? { value } : { issues: [{ message: "it is no result of a tool" }] }
  ),
  // The SDK checks a result of this era before it asks us to.
  modern: toSchema((value) => ({ value: value as CallToolResult })),
};

/** Calls a tool. Throws what the SDK throws when there is no answer. */
export async function sendCall(
  connection: Connection,
  tool: ListedTool,
  args: JsonText,
  context: Omit<InputContext, "tool"> & Pick<CallOptions, "unread">,
): Promise<CallReply> {
  const { name, inputSchema } = tool;
  const options = {
    signal: context.signal,
    // The SDK's own timer cannot stand still, so the signal has to end the call.
    timeout: MAX_TIMER_MS,
    allowInputRequired: true,
    // Without its output schema: what a tool sends is handed on, also where it breaks its own word.
    toolDefinition: { name, inputSchema: { ...inputSchema, type: "object" as const } },
  };
  const { unread } = context;
  const values = toHeaderValues(connection, tool, args);
  using open = connection.transport.texts.open(args, { values, unread });
  const call = { name, arguments: open.standIn };
  let params: typeof call & Record<string, unknown> = call;
  try {
    for (let round = 0; round <= MAX_ROUNDS; round++) {
      const result: unknown = await request(connection, params, options);
      if (!isInputRequiredResult(result)) {
        return toResult(result as CallToolResult, open);
      }
      const whole = open.cut === undefined ? result : open.answered("result", result).parse();
      const { inputRequests = {}, requestState } = whole as typeof result;
      const inputResponses = await answerInputs(inputRequests, { ...context, tool: name });
      if (Object.keys(inputRequests).length === 0) await sleep(PUT_OFF_MS, context.signal);
      params = { ...call, inputResponses, ...(requestState !== undefined && { requestState }) };
    }
    const error = `"${context.server}.${name}" asked ${MAX_ROUNDS} times and came to no result`;
    throw new AppError(error);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, data } = error;
    const message = code === ProtocolErrorCode.MissingRequiredClientCapability
      ? `${error.message}: ${describeLack(data, context.asker?.abilities)}`
      : error.message;
    const own = { code, message, ...(data !== undefined && { data }) };
    return { kind: "error", message, text: open.answered("error", own) };
  }
}

/** Most results are read without their text being looked at. */
function toResult(given: CallToolResult, call: OpenCall): CallReply {
  const longText = toLongText(given, call);
  // What is looked into must be whole.
  const isWhole = call.cut === undefined || longText !== undefined ||
    (given.structuredContent !== undefined && !given.isError);
  const result = isWhole ? given : call.answered("result", given).parse() as CallToolResult;
  return {
    kind: "result",
    result,
    ...(longText && { longText }),
    get text() {
      return call.answered("result", result);
    },
  };
}

function toLongText({ content, structuredContent, isError }: CallToolResult, call: OpenCall) {
  const [only, ...others] = content ?? [];
  const isText = only?.type === "text" && others.length === 0;
  return isText && !isError && structuredContent === undefined
    ? call.cut?.get(only.text)
    : undefined;
}

/** Where there are headers, arguments may have to stand in them as well: the SDK knows which. */
function request(
  { client, link }: Connection,
  params: Parameters<Client["callTool"]>[0],
  options: Parameters<Client["callTool"]>[1],
): Promise<unknown> {
  return client.transport instanceof StdioClientTransport
    ? client.request({ method: "tools/call", params }, RESULTS[link.era], options)
    : client.callTool(params, options);
}

/** Tools with arguments that have to stand in headers. */
const inHeaders = new WeakMap<ListedTool, boolean>();

/** What the SDK has to see of the arguments: something only where they have to stand in headers. */
function toHeaderValues(
  { client, link }: Connection,
  tool: ListedTool,
  args: JsonText,
): Record<string, unknown> {
  if (link.era !== "modern" || client.transport instanceof StdioClientTransport) return {};
  let has = inHeaders.get(tool);
  if (has === undefined) {
    has = JSON.stringify(tool.inputSchema).includes('"x-mcp-header"');
    inHeaders.set(tool, has);
  }
  return has ? args.parse() as Record<string, unknown> : {};
}

/** A server of 2026 says itself what it misses, but not that the client in front of us is why. */
function describeLack(data: unknown, abilities: Abilities | undefined): string {
  if (abilities === undefined) return "nobody is there to answer";
  const missing = Object.keys(Object(Object(data)["requiredCapabilities"])).join(", ");
  return `the MCP client "${abilities.client}" does not support ${missing}`;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** The limit of one call. */
export class CallLimit implements Disposable {
  readonly #over = new AbortController();
  readonly #outer: AbortSignal;
  readonly #onAbort: () => void;
  readonly #clear: () => void;

  constructor(outer: AbortSignal, clock: PausableClock, ms: number) {
    this.#outer = outer;
    this.#onAbort = () => this.#over.abort(outer.reason);
    if (outer.aborted) this.#onAbort();
    else outer.addEventListener("abort", this.#onAbort, { once: true });
    // The same error as of the SDK's own timer.
    const late = () => this.#over.abort(new SdkError(SdkErrorCode.RequestTimeout, "Timed out"));
    this.#clear = clock.after(ms, late);
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  [Symbol.dispose](): void {
    this.#clear();
    this.#outer.removeEventListener("abort", this.#onAbort);
  }
}
