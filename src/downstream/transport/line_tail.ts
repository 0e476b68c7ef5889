/** The last lines of a stream of text, in bounded memory. */

import { printable } from "../../shared/printable.ts";

/** Options of {@link LineTail}. */
export interface LineTailOptions {
  /** @default 20 */
  maxLines?: number;
  /** Longest line that is kept whole; of a longer one the start is. @default 500 */
  maxLineChars?: number;
}

/** Keeps the last lines of what is pushed. */
export class LineTail {
  readonly #maxLines: number;
  readonly #maxLineChars: number;
  readonly #decoder = new TextDecoder();
  #lines: string[] = [];
  #open = "";

  constructor(options: LineTailOptions = {}) {
    this.#maxLines = options.maxLines ?? 20;
    this.#maxLineChars = options.maxLineChars ?? 500;
  }

  push(chunk: Uint8Array): void {
    const [first = "", ...others] = this.#decoder.decode(chunk, { stream: true }).split("\n");
    this.#open = this.#cut(this.#open + first);
    for (const line of others.slice(-this.#maxLines - 1)) {
      this.#close();
      this.#open = this.#cut(line);
    }
  }

  /** The lines, without blank ones and without the colours of a terminal. */
  lines(): readonly string[] {
    return [...this.#lines, ...toClean(this.#open)].slice(-this.#maxLines);
  }

  #close(): void {
    this.#lines.push(...toClean(this.#open));
    if (this.#lines.length > this.#maxLines) this.#lines = this.#lines.slice(-this.#maxLines);
  }

  #cut(line: string): string {
    return line.length > this.#maxLineChars ? line.slice(0, this.#maxLineChars) : line;
  }
}

function toClean(line: string): string[] {
  const text = printable(line.trimEnd(), "lines").trimEnd();
  return text === "" ? [] : [text];
}
