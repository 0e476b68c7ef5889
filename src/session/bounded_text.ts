/** The head and the tail of a text of any length, in bounded memory. */

/** Keeps up to `budget` characters from each end of what is appended. */
export class BoundedText {
  readonly #budget: number;
  #head = "";
  #tail: string[] = [];
  #tailChars = 0;
  #chars = 0;
  #newlines = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Characters appended so far. */
  get chars(): number {
    return this.#chars;
  }

  /** Takes the next piece of the text. */
  append(text: string): void {
    this.#chars += text.length;
    this.#newlines += countNewlines(text);
    const room = this.#budget - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    if (text.length <= room) return;
    const rest = room > 0 ? text.slice(room) : text;
    this.#tail.push(rest.slice(-this.#budget));
    this.#tailChars += Math.min(rest.length, this.#budget);
    if (this.#tailChars > 2 * this.#budget) this.#trimTail();
  }

  /** The last line so far that is not blank, cut to `maxChars`. */
  lastLine(maxChars: number): string {
    const end = (this.#tail.at(-1) ?? this.#head).slice(-4 * maxChars).trimEnd();
    return end.slice(end.lastIndexOf("\n") + 1).trim().slice(0, maxChars);
  }

  /**
   * The text in at most `limit` characters (not more than the budget): whole if it fits, otherwise head
   * and tail with the line that `describeCut` gives for what is left out between them.
   */
  render(limit: number, describeCut: (cut: Cut) => string): string {
    if (this.#chars <= limit && this.#chars <= this.#budget) return this.#head;
    this.#trimTail();
    const all = this.#head + this.#tail.join("");
    const whole = this.#chars === all.length;
    if (whole && all.length <= limit) return all;
    const half = Math.floor(limit / 2);
    const head = endAtLine(all.slice(0, half));
    const tail = startAtLine(all.slice(all.length - half));
    const kept = countNewlines(head) + countNewlines(tail);
    const cut = describeCut({
      chars: this.#chars - head.length - tail.length,
      lines: this.#newlines - kept,
    });
    return `${head}${head.endsWith("\n") ? "" : "\n"}${cut}\n${tail}`;
  }

  #trimTail(): void {
    const tail = this.#tail.join("").slice(-this.#budget);
    this.#tail = tail === "" ? [] : [tail];
    this.#tailChars = tail.length;
  }
}

/** How much is left out. */
export interface Cut {
  chars: number;
  lines: number;
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Without the unfinished line at the end, unless that is most of it. */
function endAtLine(text: string): string {
  const newline = text.lastIndexOf("\n");
  return newline > text.length / 2 ? text.slice(0, newline + 1) : dropHalfPair(text, "end");
}

/** Without the unfinished line at the start, unless that is most of it. */
function startAtLine(text: string): string {
  const newline = text.indexOf("\n");
  return newline !== -1 && newline < text.length / 2
    ? text.slice(newline + 1)
    : dropHalfPair(text, "start");
}

/** A cut must not leave half of a surrogate pair. */
function dropHalfPair(text: string, side: "start" | "end"): string {
  if (side === "end") return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
  return /^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text;
}
