/**
 * The texts of the calls on one connection, past the SDK, which makes JavaScript's values of all it reads
 * and writes. Arguments are put into its message when that has become text; of an answer the text is kept
 * beside what the SDK makes of it, and read only where it is needed.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { findMember, members } from "../../shared/json/json_span.ts";
import { findStandIn, JsonText } from "../../shared/json/json_text.ts";
import type { Stretch } from "../../shared/stretch.ts";
import type { Unread } from "../../shared/byte_budget.ts";
import {
  batchOf,
  type ReadMessage,
  readMessage,
  SHORT_CHARS,
  shorten,
  type Shortened,
} from "./long_message.ts";
import { isMessage, OpenRequests } from "./open_requests.ts";

/** Options of {@link CallTexts.open}. */
export interface OpenCallOptions {
  /** What the SDK may see of the arguments. @default nothing */
  values?: Record<string, unknown>;
  /** What was sent to whoever asks, and not read yet. @default nothing */
  unread?: Unread | undefined;
}

/** Where the stand-in for arguments has its call: a member that nobody else sees. */
const CALL = Symbol("call");

/** A call that is under way. */
export class OpenCall implements Disposable {
  /** What the SDK is given as its arguments. */
  readonly standIn: Record<string, unknown>;
  readonly args: JsonText;
  readonly unread: Unread | undefined;
  /** Of the request that was sent last. */
  id: number | undefined;
  /** The message that answered it. */
  answer: string | undefined;
  /** Its long strings, where the SDK was given others in their place. */
  cut: Shortened["cut"] | undefined;
  isOver = false;
  readonly #end: (call: OpenCall) => void;

  constructor(args: JsonText, { values, unread }: OpenCallOptions, end: (call: OpenCall) => void) {
    this.args = args;
    this.unread = unread;
    this.standIn = Object.defineProperties({ ...values }, {
      toJSON: { value: () => args.toJSON() },
      [CALL]: { value: this },
    });
    this.#end = end;
  }

  /** A member of the answer as it came; `parsed` is what the SDK made of it. */
  answered(member: "result" | "error", parsed: unknown): JsonText {
    const span = this.answer === undefined ? undefined : findMember(this.answer, member);
    // Without a text there is an error of our own, or a server that numbers its answers oddly.
    return span === undefined
      ? JsonText.of(parsed)
      : new JsonText(this.answer!.slice(span.start, span.end));
  }

  [Symbol.dispose](): void {
    this.isOver = true;
    this.#end(this);
  }
}

/** The open calls of a connection; its transport says what it sends and what comes. */
export class CallTexts {
  /** All requests of the connection, calls or not. */
  readonly requests: OpenRequests;
  /** Told of an error in place of an answer that is none, where the SDK alone reads what comes. */
  onBadAnswer?: (message: JSONRPCMessage) => void;
  readonly #byId = new Map<number, OpenCall>();
  /** Of whoever asked for the long answer that came last. */
  #crowded: Unread | undefined;

  /** `maxAsked` is how many requests of the server are answered at a time. */
  constructor(maxAsked = 1000) {
    this.requests = new OpenRequests(maxAsked);
  }

  /** Begins a call, which ends when it is disposed. */
  open(args: JsonText, options: OpenCallOptions = {}): OpenCall {
    return new OpenCall(args, options, this.#end);
  }

  readonly #end = ({ id }: OpenCall): void => {
    if (id === undefined) return;
    this.#byId.delete(id);
    this.requests.forget(id);
  };

  /** Notes that `message` is sent, and gives the arguments that belong into it. */
  sent(message: JSONRPCMessage): JsonText | undefined {
    this.requests.sent(message);
    if (!("method" in message && "id" in message)) return undefined;
    const call = callOf(message.params?.["arguments"]);
    if (call === undefined || call.isOver) return undefined;
    if (call.id !== undefined) this.#byId.delete(call.id);
    call.id = Number(message.id);
    call.answer = call.cut = undefined;
    this.#byId.set(call.id, call);
    return call.args;
  }

  /**
   * The call that is made by the JSON of a message, in which its arguments are still missing.
   *
   * @throws {Error} if it is over.
   */
  find(json: string): OpenCall | undefined {
    const standIn = findStandIn(json);
    if (standIn === undefined) return undefined;
    const call = this.#byId.values().find(({ args }) => args.toJSON() === standIn);
    if (call === undefined) throw new Error("The call is over");
    return call;
  }

  /** Notes the text of a message that came, or of a batch of them; gives what values are to be made of, if any. */
  async came(text: string, stretch: Stretch): Promise<string | undefined> {
    const batch = batchOf(text);
    if (batch === undefined) return await this.#cameOne(text, stretch);
    const parts: string[] = [];
    for (const part of batch) {
      const short = await this.#cameOne(part, stretch);
      if (short !== undefined) parts.push(short);
      if (stretch.isOver) await stretch.giveWay();
    }
    return `[${parts.join()}]`;
  }

  /** Notes the text of the answer to a request. */
  answered(id: unknown, text: string): void {
    const call = this.#byId.get(Number(id));
    if (call === undefined) return;
    call.answer = text;
    if (text.length > SHORT_CHARS) this.#crowded = call.unread;
  }

  /** What the SDK is to read in place of a message: a result of a call is given without its long strings. */
  shorten({ short }: ReadMessage): string {
    const shortened = shorten(short);
    if (shortened === undefined) return short;
    const { id, result } = toSkeleton(shortened.text) ?? {};
    const call = this.#byId.get(Number(id));
    if (call === undefined || result === undefined) return short;
    call.cut = shortened.cut;
    return shortened.text;
  }

  /** Whether {@link CallTexts.settle} would not wait. */
  get isSettled(): boolean {
    return this.#crowded === undefined;
  }

  /**
   * To be awaited before more is read for everybody: a long answer that came is on its way then, and whoever
   * asked for it has room for more or does not read at all.
   */
  async settle(): Promise<void> {
    const unread = this.#crowded;
    this.#crowded = undefined;
    await new Promise((resolve) => setImmediate(resolve));
    await unread?.whenLowOrStill();
  }

  async #cameOne(came: string, stretch: Stretch): Promise<string | undefined> {
    let read: ReadMessage;
    try {
      read = await stretch.finish(readMessage(came));
    } catch {
      // No JSON: what it begins with is none either, and costs nothing.
      return came.slice(0, 1);
    }
    const { text } = read;
    const short = this.shorten(read);
    const skeleton = toSkeleton(short);
    if (skeleton === undefined) return short;
    const message = this.requests.check(skeleton);
    // Nobody waits for it, or there is no room for it: the SDK would make an error of each.
    if (message === undefined) return isMessage(skeleton) ? undefined : short;
    if (!("id" in message) || "method" in message) return short;
    if ("error" in message && message.error !== skeleton["error"]) this.onBadAnswer?.(message);
    else this.answered(message.id, text);
    return short;
  }
}

function callOf(args: unknown): OpenCall | undefined {
  return (args as { [CALL]?: OpenCall } | null | undefined)?.[CALL];
}

/** The outer form of a message, with of its result only what the protocol rules; undefined for other text. */
function toSkeleton(text: string): Record<string, unknown> | undefined {
  const entries: Array<[string, unknown]> = [];
  try {
    for (const { name, start, end } of members(text)) {
      const isPart = name === "result" && text[start] === "{";
      entries.push([
        name,
        isPart ? resultSkeleton(text, start) : JSON.parse(text.slice(start, end)),
      ]);
    }
  } catch {
    return undefined;
  }
  return Object.fromEntries(entries);
}

function resultSkeleton(text: string, at: number): Record<string, unknown> {
  if (text.indexOf('"_meta"', at) === -1) return {};
  const meta = findMember(text, "_meta", at);
  return meta === undefined ? {} : { _meta: JSON.parse(text.slice(meta.start, meta.end)) };
}
