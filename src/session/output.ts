/**
 * The output of one run: both streams within one budget, and the whole of it in the store once it is
 * over that. Memory stays bounded whatever the code prints.
 */
import { describeError } from "../shared/errors.ts";
import type { RunFiles } from "../store/runs/run_files.ts";
import type { StreamName } from "../store/runs/run_history.ts";
import { BoundedText, type Cut } from "./bounded_text.ts";
import type { Artifact } from "./run_result.ts";

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
