/**
 * What clients and models say to each other, as far as one tool call needs it: Anthropic's Messages, OpenAI's
 * Responses and Chat Completions, Gemini's generateContent. Pure.
 */

// deno-lint-ignore no-explicit-any
type Json = any;

/** A call of a tool, as the model asks for it. */
export interface ModelCall {
  name: string;
  /** The group of tools that the name is in, where a client has groups. */
  namespace?: string;
  arguments: Record<string, unknown>;
}

/** One way to talk to a model. */
export interface Dialect {
  /** Whether a request on this path is one. */
  path: RegExp;
  /** The tools that the model is offered. */
  tools(body: Json): Array<{ name: string; namespace?: string }>;
  /** What the client hands the model of the results of tools, in its own form; empty before the first. */
  results(body: Json): unknown[];
  /** The model's reply: a call, or the end. */
  reply(call: ModelCall | undefined): Json;
  /** The reply as events, for a client that asked for a stream. */
  events(reply: Json): Array<{ event?: string; data: Json }>;
}

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

const messages: Dialect = {
  path: /\/v1\/messages$/,
  tools: ({ tools = [] }) => tools,
  results: ({ messages }) =>
    messages.flatMap(({ content }: Json) => Array.isArray(content) ? content : [])
      .filter(({ type }: Json) => type === "tool_result").map(({ content }: Json) => content),
  reply: (call) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "stand-in",
    content: call === undefined
      ? [{ type: "text", text: "done" }]
      : [{ type: "tool_use", id: "toolu_1", name: call.name, input: call.arguments }],
    stop_reason: call === undefined ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: USAGE,
  }),
  events: ({ content: [block], stop_reason, ...message }) => {
    const isCall = block.type === "tool_use";
    return [
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      {
        type: "content_block_start",
        index: 0,
        content_block: isCall ? { ...block, input: {} } : { type: "text", text: "" },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: isCall
          ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
          : { type: "text_delta", text: block.text },
      },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: USAGE },
      { type: "message_stop" },
    ].map((data) => ({ event: data.type, data }));
  },
};

const responses: Dialect = {
  path: /\/responses$/,
  tools: ({ tools = [] }) =>
    tools.flatMap(({ type, name, tools: inside }: Json) =>
      type === "namespace"
        ? inside.map((tool: Json) => ({ name: tool.name, namespace: name }))
        : [{ name }]
    ),
  results: ({ input }) =>
    (Array.isArray(input) ? input : []).filter(({ type }: Json) => type === "function_call_output")
      .map(({ output }: Json) => output),
  reply: (call) => ({
    id: "resp_1",
    object: "response",
    created_at: 0,
    status: "completed",
    model: "stand-in",
    output: [
      call === undefined
        ? {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "done", annotations: [] }],
        }
        : {
          type: "function_call",
          id: "fc_1",
          call_id: "call_1",
          status: "completed",
          ...call,
          arguments: JSON.stringify(call.arguments),
        },
    ],
    parallel_tool_calls: false,
    tool_choice: "auto",
    tools: [],
    usage: {
      ...USAGE,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  }),
  events: (response) => {
    const [item] = response.output;
    return [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response },
    ].map((data, sequence_number) => ({ event: data.type, data: { ...data, sequence_number } }));
  },
};

const chat: Dialect = {
  path: /\/chat\/completions$/,
  tools: ({ tools = [] }) => tools.map((tool: Json) => tool.function),
  results: ({ messages }) =>
    messages.filter(({ role }: Json) => role === "tool").map(({ content }: Json) => content),
  reply: (call) => ({
    id: "chat_1",
    object: "chat.completion",
    created: 0,
    model: "stand-in",
    choices: [{
      index: 0,
      message: call === undefined ? { role: "assistant", content: "done" } : {
        role: "assistant",
        content: null,
        tool_calls: [{
          index: 0,
          id: "call_1",
          type: "function",
          function: { name: call.name, arguments: JSON.stringify(call.arguments) },
        }],
      },
      finish_reason: call === undefined ? "stop" : "tool_calls",
    }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  events: ({ choices: [{ message, finish_reason }], usage, ...rest }) => {
    const chunk = { ...rest, object: "chat.completion.chunk" };
    return [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
      "[DONE]",
    ].map((data) => ({ data }));
  },
};

const gemini: Dialect = {
  path: /:(generateContent|streamGenerateContent)$/,
  tools: ({ tools = [] }) =>
    tools.flatMap(({ functionDeclarations = [] }: Json) => functionDeclarations),
  results: ({ contents }) => {
    const parts = contents.flatMap(({ parts }: Json) => parts);
    const first = parts.findIndex(({ functionResponse }: Json) => functionResponse);
    return first < 0 ? [] : parts.slice(first);
  },
  reply: (call) => ({
    candidates: [{
      index: 0,
      content: {
        role: "model",
        parts: [
          call === undefined
            ? { text: "done" }
            : { functionCall: { name: call.name, args: call.arguments } },
        ],
      },
      finishReason: "STOP",
    }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "stand-in",
  }),
  events: (reply) => [{ data: reply }],
};

/** All of them. */
export const DIALECTS: readonly Dialect[] = [messages, responses, chat, gemini];
