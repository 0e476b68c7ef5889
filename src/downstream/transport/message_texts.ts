/** The messages in an event stream: each is looked at as soon as it is whole, and handed on as it may be. */
import { LineSplitter, LineTooLongError } from "../../shared/framing.ts";
import { Stretch } from "../../shared/stretch.ts";

/** Gives what is to be handed on in place of a message, if anything is. */
export type OnMessage = (text: string, stretch: Stretch) => Promise<string | undefined>;

const NEWLINE = 10;
const RETURN = 13;

/** Lines of one event that are joined at a time: each by itself takes more than its characters. */
const BLOCK_LINES = 1000;

/**
 * Reads a stream between a server and whoever parses it. A message is the data of one event, which may have
 * several lines.
 */
export class EventFilter {
  readonly #splitter: LineSplitter;
  readonly #onMessage: OnMessage;
  readonly #maxMessageBytes: number;
  readonly #stretch = new Stretch();
  #lines: string[] = [];
  #blocks: string[] = [];
  #chars = 0;
  #afterReturn = false;

  constructor(onMessage: OnMessage, maxMessageBytes: number) {
    this.#onMessage = onMessage;
    this.#maxMessageBytes = maxMessageBytes;
    this.#splitter = new LineSplitter(maxMessageBytes, { fatal: false });
  }

  /** What is held of the message that has not ended. */
  get heldBytes(): number {
    return this.#splitter.heldBytes + this.#chars;
  }

  /**
   * What to hand on of a chunk.
   *
   * @throws {LineTooLongError} if a message is longer than allowed.
   */
  async take(chunk: Uint8Array): Promise<string> {
    let out = "";
    for (const line of this.#splitter.lines(this.#withNewlines(chunk))) {
      out += await this.#takeLine(line);
      if (this.#stretch.isOver) await this.#stretch.giveWay();
    }
    return out;
  }

  async #takeLine(line: string): Promise<string> {
    if (line.startsWith(":")) return "";
    if (line === "") return `${await this.#takeMessage()}\n`;
    if (!line.startsWith("data:")) return `${line}\n`;
    this.#chars += line.length;
    if (this.#chars > this.#maxMessageBytes) {
      throw new LineTooLongError(`A message is longer than ${this.#maxMessageBytes} bytes`);
    }
    this.#lines.push(line.slice(line[5] === " " ? 6 : 5));
    if (this.#lines.length === BLOCK_LINES) this.#closeBlock();
    return "";
  }

  async #takeMessage(): Promise<string> {
    if (this.#chars === 0) return "";
    this.#closeBlock();
    const text = await this.#onMessage(this.#blocks.join("\n"), this.#stretch);
    this.#blocks = [];
    this.#chars = 0;
    if (text === undefined) return "";
    // Nothing that JSON needs is lost with the line breaks.
    return `data: ${text.includes("\n") ? text.replaceAll("\n", " ") : text}\n`;
  }

  #closeBlock(): void {
    if (this.#lines.length > 0) this.#blocks.push(this.#lines.join("\n"));
    this.#lines = [];
  }

  /** A line may end with a carriage return as well, alone or before the newline. */
  #withNewlines(chunk: Uint8Array): Uint8Array {
    if (!this.#afterReturn && !chunk.includes(RETURN)) return chunk;
    let length = 0;
    for (const byte of chunk) {
      const isSecond = this.#afterReturn && byte === NEWLINE;
      this.#afterReturn = byte === RETURN;
      if (!isSecond) chunk[length++] = byte === RETURN ? NEWLINE : byte;
    }
    return chunk.subarray(0, length);
  }
}
