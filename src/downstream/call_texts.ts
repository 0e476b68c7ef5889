/**
 * The texts of the calls on one connection, past the SDK, which makes JavaScript's values of all it reads
 * and writes. Arguments are put into its message when that has become text; of an answer the text is kept
 * beside what the SDK makes of it, and read only where it is needed.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { findMember, items, members, valueSpan } from "../shared/json_span.ts";
import { findStandIn, JsonText } from "../shared/json_text.ts";

/** A call that is under way. */
export class OpenCall implements Disposable {
  /** What the SDK is given as its arguments. */
  readonly standIn: Record<string, unknown>;
  readonly args: JsonText;
  /** Of the request that was sent last. */
  id: number | undefined;
  /** The message that answered it. */
  answer: string | undefined;
  readonly #end: () => void;

  /** `values` are what the SDK may see of the arguments. */
  constructor(args: JsonText, values: Record<string, unknown>, end: (call: OpenCall) => void) {
    this.args = args;
    const toJSON = { value: () => args.toJSON() };
    this.standIn = Object.defineProperty({ ...values }, "toJSON", toJSON);
    this.#end = () => end(this);
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
    this.#end();
  }
}

/** The open calls of a connection; its transport says what it sends and what comes. */
export class CallTexts {
  readonly #byStandIn = new Map<unknown, OpenCall>();
  readonly #byId = new Map<number, OpenCall>();

  /** Begins a call, which ends when it is disposed. */
  open(args: JsonText, values: Record<string, unknown> = {}): OpenCall {
    const call = new OpenCall(args, values, () => {
      this.#byStandIn.delete(call.standIn);
      if (call.id !== undefined) this.#byId.delete(call.id);
    });
    this.#byStandIn.set(call.standIn, call);
    return call;
  }

  /** Notes that `message` is sent, and gives the arguments that belong into it. */
  sent(message: JSONRPCMessage): JsonText | undefined {
    if (!("method" in message && "id" in message)) return undefined;
    const call = this.#byStandIn.get(message.params?.["arguments"]);
    if (call === undefined) return undefined;
    if (call.id !== undefined) this.#byId.delete(call.id);
    call.id = Number(message.id);
    this.#byId.set(call.id, call);
    return call.args;
  }

  /**
   * Puts arguments where they belong in the JSON of a message that was sent.
   *
   * @throws {Error} if its call is over.
   */
  complete(json: string): string {
    const standIn = findStandIn(json);
    if (standIn === undefined) return json;
    const call = this.#byStandIn.values().find(({ args }) => args.toJSON() === standIn);
    if (call === undefined) throw new Error("The call is over");
    return call.args.insertInto(json);
  }

  /** Notes the text of a message that came, or of a batch of them. */
  came(text: string): void {
    if (this.#byId.size === 0) return;
    const { start = 0 } = valueSpan(text) ?? {};
    if (text[start] !== "[") return this.#cameOne(text, start);
    for (const item of items(text, start)) this.#cameOne(text.slice(item.start, item.end), 0);
  }

  /** Notes the text of the answer to a request. */
  answered(id: unknown, text: string): void {
    const call = this.#byId.get(Number(id));
    if (call !== undefined) call.answer = text;
  }

  #cameOne(text: string, start: number): void {
    let id: string | undefined;
    for (const member of members(text, start)) {
      if (member.name === "method") return;
      if (member.name === "id") id = text.slice(member.start, member.end);
    }
    // The SDK takes "1" for 1 as well.
    if (id !== undefined) this.answered(id.replaceAll('"', ""), text);
  }
}
