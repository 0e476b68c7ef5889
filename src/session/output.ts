/**
 * The output of one run: both streams within one budget, and the whole of it in the store once it is
 * over that. Memory stays bounded whatever the code prints.
 */
import type { Artifact } from "./run_result.ts";
import { describeError } from "../shared/errors.ts";
import type { RunFiles } from "../store/runs/run_files.ts";
import type { StreamName } from "../store/runs/run_history.ts";

const STREAMS = ["stdout", "stderr"] as const;

/** What the model gets of a run's output. */
export interface CollectedOutput {
  stdout: string;
  stderr: string;
  notes: string[];
  artifacts: Artifact[];
}

/** Gathers the output of one run. */
export class OutputCollector {
  readonly #budget: number;
  readonly #files: RunFiles;
  readonly #texts: Record<StreamName, BoundedText>;
  #early: Array<[StreamName, string]> = [];
  #overBudget = false;
  #storeError: string | undefined;

  /** `budgetChars` is for both streams together. */
  constructor(budgetChars: number, files: RunFiles) {
    this.#budget = budgetChars;
    this.#files = files;
    this.#texts = { stdout: new BoundedText(budgetChars), stderr: new BoundedText(budgetChars) };
  }

  /** The last line printed, for progress. */
  get lastLine(): string {
    return this.#texts.stdout.lastLine(120);
  }

  /** Takes a piece of a stream. */
  append(name: StreamName, text: string): void {
    // A message without text would cost memory and no budget.
    if (text === "") return;
    this.#texts[name].append(text);
    if (this.#overBudget) return this.#store(name, text);
    this.#early.push([name, text]);
    if (this.#chars <= this.#budget) return;
    this.#overBudget = true;
    for (const [early, piece] of this.#early) this.#store(early, piece);
    this.#early = [];
  }

  /** The output within its budget, and where the rest is. */
  finish(): CollectedOutput {
    const { stdout, stderr } = this.#texts;
    if (!this.#overBudget) {
      const whole = (text: BoundedText) => text.render(this.#budget, () => "");
      return { stdout: whole(stdout), stderr: whole(stderr), notes: [], artifacts: [] };
    }
    const artifacts = this.#storeError === undefined ? this.#closeFiles() : [];
    // stderr is short as a rule and says what went wrong: a quarter is its own, and what stdout leaves.
    const forStderr = Math.min(
      stderr.chars,
      Math.max(Math.floor(this.#budget / 4), this.#budget - stdout.chars),
    );
    const notes: string[] = [];
    const render = (name: StreamName, limit: number) =>
      this.#texts[name].render(limit, (cut) => {
        const line = this.#describeCut(name, cut, artifacts);
        notes.push(line);
        return line;
      });
    return {
      stdout: render("stdout", this.#budget - forStderr),
      stderr: render("stderr", forStderr),
      notes,
      artifacts,
    };
  }

  get #chars(): number {
    return this.#texts.stdout.chars + this.#texts.stderr.chars;
  }

  #store(name: StreamName, text: string): void {
    if (this.#storeError !== undefined) return;
    try {
      this.#files.append(`${name}.txt`, text);
    } catch (error) {
      // It becomes part of a single line.
      this.#storeError = describeError(error).replaceAll(/\s*\n\s*/g, "; ");
    }
  }

  #closeFiles(): Artifact[] {
    return STREAMS.map((name) => this.#files.close(`${name}.txt`))
      .filter((artifact) => artifact !== undefined);
  }

  #describeCut(name: StreamName, cut: Cut, artifacts: readonly Artifact[]): string {
    const what = `${count(cut.chars, "character")} in ${
      count(cut.lines + 1, "line")
    } of ${name} cut`;
    const file = artifacts.find((artifact) => artifact.name === `${name}.txt`);
    if (file === undefined) return `[… ${what}; not kept: ${this.#storeError} …]`;
    const incomplete = this.#files.isFull ? "the first part of the text" : "the whole text";
    const inPython = `runtime.output(-1${name === "stderr" ? ', stream="stderr"' : ""})`;
    return `[… ${what}; ${incomplete} is ${inPython} in the next call, and in ${file.uri} …]`;
  }
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

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
