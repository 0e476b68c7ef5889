/**
 * The requests of one connection that wait for an answer. The SDK passes over an answer that is none, and
 * whoever asked would wait until the time is over: in its place goes an error that says what is wrong with it.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/client";
import { isSchema, own } from "../../shared/json/schema_part.ts";

type Id = string | number;

/** How the error begins that stands in the place of such an answer. */
const NO_ANSWER = "It sent an answer that is none: ";

/** Longest part of an answer that an error shows. */
const MAX_SHOWN_CHARS = 60;

/** Knows what was asked, and judges what comes back. */
export class OpenRequests {
  readonly #open = new Set<Id>();
  /** What to do when nobody waits for the answer to a request any more, though none came. */
  readonly #onGivenUp = new Map<Id, () => void>();
  /** What the server has asked and has not read the answer to. */
  readonly #asked = new Set<unknown>();
  readonly #maxAsked: number;
  /** The SDK counts its requests up from 0. */
  #lastNumber = -1;

  /** What the server asks while so many answers have not left us is passed over. */
  constructor(maxAsked: number) {
    this.#maxAsked = maxAsked;
  }

  /** Notes that `message` is sent. */
  sent(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) {
      this.#open.add(message.id);
      if (typeof message.id === "number") this.#lastNumber = message.id;
    } else if (message.method === "notifications/cancelled") {
      this.forget(message.params?.["requestId"] as Id);
    }
  }

  /** The answer to a request of the server has left us. */
  answered(message: JSONRPCMessage): void {
    if (!("method" in message)) this.#asked.delete(message.id);
  }

  /** Nobody waits for that answer any more. */
  forget(id: Id): void {
    this.#open.delete(id);
    this.#onGivenUp.get(id)?.();
    this.#onGivenUp.delete(id);
  }

  /** Has `action` done when a request that was sent ends without a good answer. */
  whenGivenUp(id: Id, action: () => void): void {
    this.#onGivenUp.set(id, action);
  }

  /**
   * What to hand on in place of a value that came: itself, or an error where it is an answer and not a good
   * one; undefined where nobody waits for it, it is no message at all, or there is no more room for it.
   */
  check(value: unknown): JSONRPCMessage | undefined {
    if (!isSchema(value)) return undefined;
    if (Object.hasOwn(value, "method")) {
      return isMessage(value) && this.#mayAsk(value) ? value : undefined;
    }
    const { id } = value;
    const asked = this.#find(id);
    if (asked === undefined) return this.#ofUnknown(value);
    const fault = findFault(value);
    if (fault !== undefined) {
      this.forget(asked);
      return toBadAnswer(asked, fault);
    }
    this.#open.delete(asked);
    this.#onGivenUp.delete(asked);
    // The SDK's greeting tells "1" from 1.
    return (asked === id ? value : { ...value, id: asked }) as unknown as JSONRPCMessage;
  }

  /** SECURITY: memory boundary. A server that asks without end need not read what it is told. */
  #mayAsk(message: JSONRPCMessage): boolean {
    if (!("method" in message)) return true;
    if (!("id" in message)) {
      if (message.method === "notifications/cancelled") {
        this.#asked.delete(message.params?.["requestId"]);
      }
      return true;
    }
    if (this.#asked.size >= this.#maxAsked || this.#asked.has(message.id)) return false;
    this.#asked.add(message.id);
    return true;
  }

  #find(id: unknown): Id | undefined {
    if (typeof id === "number" || typeof id === "string") {
      if (this.#open.has(id)) return id;
      if (typeof id === "string" && this.#open.has(Number(id))) return Number(id);
    }
    return undefined;
  }

  /** An answer to nothing that was asked can only be meant for the one who waits, if there is but one. */
  #ofUnknown(value: Record<string, unknown>): JSONRPCMessage | undefined {
    const isAnswer = Object.hasOwn(value, "result") || Object.hasOwn(value, "error");
    const { id } = value;
    const number = typeof id === "number" || (typeof id === "string" && id !== "")
      ? Number(id)
      : NaN;
    const isLate = Number.isInteger(number) && number <= this.#lastNumber;
    const [only, ...others] = [...this.#open].filter((one) => typeof one === "number");
    if (!isAnswer || isLate || only === undefined || others.length > 0) return undefined;
    this.forget(only);
    const { message } = Object(own(value, "error"));
    const said = typeof message === "string" ? `, and says: ${message.slice(0, 500)}` : "";
    return toBadAnswer(only, `its "id" is ${show(id)}, which no request has${said}`);
  }
}

/** What was wrong with an answer, if this is the error that stands in its place. */
export function badAnswerReason(error: unknown): string | undefined {
  return error instanceof ProtocolError && error.message.startsWith(NO_ANSWER)
    ? error.message.slice(NO_ANSWER.length)
    : undefined;
}

/** The error that stands in the place of an answer with a fault. */
export function toBadAnswer(id: Id, fault: string): JSONRPCMessage {
  const error = { code: ProtocolErrorCode.InternalError, message: `${NO_ANSWER}${fault}` };
  return { jsonrpc: "2.0", id, error };
}

/** Whether a value has the outer form of a message. Its inner one is checked by the SDK. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  return isSchema(value) && own(value, "jsonrpc") === "2.0";
}

/** What is wrong with an answer; the SDK is the judge, but for those that are plainly good. */
function findFault(value: Record<string, unknown>): string | undefined {
  const { jsonrpc, result } = value;
  const isPlain = jsonrpc === "2.0" && isSchema(result) && !("_meta" in result) &&
    Object.keys(value).length === 3;
  if (isPlain || isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value)) return undefined;
  if (jsonrpc !== "2.0") return `its "jsonrpc" is ${show(jsonrpc)}, not "2.0"`;
  const [hasResult, hasError] = ["result", "error"].map((name) => Object.hasOwn(value, name));
  if (hasResult && hasError) return 'it has both a "result" and an "error"';
  if (!hasResult && !hasError) return 'it has neither a "result" nor an "error"';
  if (hasResult && !isSchema(result)) return `its "result" is ${show(result)}, not an object`;
  if (hasError) return 'its "error" is no object with an integer "code" and a "message"';
  return "JSON-RPC does not know it in this form";
}

function show(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "object" && value !== null) {
    return Array.isArray(value) ? "a list" : "an object";
  }
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, MAX_SHOWN_CHARS) : value);
  return typeof value === "string" && value.length > MAX_SHOWN_CHARS ? `${text}…` : text;
}
