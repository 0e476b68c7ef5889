/**
 * Runs whose text is still to be written. Making two files takes about as long as a short run, so a loop of
 * runs would pay for it with each: they wait for a moment of quiet, not longer than a second.
 */
import type { RunFiles, RunTexts } from "./run_files.ts";

/** Time without a further run before what waits is written. */
const QUIET_MS = 20;

/** Longest wait; a bridge that is killed loses no more than this. */
const MAX_WAIT_MS = 1000;

/** Characters that may wait. */
const MAX_WAITING_CHARS = 4 * 1024 * 1024;

interface Waiting {
  files: RunFiles;
  texts: RunTexts;
}

/** Writes the text of runs, in their order. */
export class WriteQueue {
  readonly #maxRuns: number;
  readonly #afterWrite: () => Promise<void>;
  #waiting: Waiting[] = [];
  #chars = 0;
  #firstAtMs = 0;
  #lastAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `maxRuns` is how many are kept at all; `afterWrite` is called when some have been written. */
  constructor(maxRuns: number, afterWrite: () => Promise<void>) {
    this.#maxRuns = maxRuns;
    this.#afterWrite = afterWrite;
  }

  /** Takes a run that is over. */
  push(files: RunFiles, texts: RunTexts): void {
    this.#lastAtMs = performance.now();
    if (this.#waiting.length === 0) this.#firstAtMs = this.#lastAtMs;
    this.#waiting.push({ files, texts });
    this.#chars += texts.code.length + texts.stdout.length + texts.stderr.length;
    if (this.#waiting.length > this.#maxRuns) {
      const { code, stdout, stderr } = this.#waiting.shift()!.texts;
      this.#chars -= code.length + stdout.length + stderr.length;
    }
    if (this.#chars > MAX_WAITING_CHARS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#onTimer(), QUIET_MS);
  }

  /** Writes what waits, and resolves when that is done. */
  async settled(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  #onTimer(): void {
    this.#timer = undefined;
    const now = performance.now();
    const isQuiet = now - this.#lastAtMs >= QUIET_MS - 1;
    if (isQuiet || now - this.#firstAtMs >= MAX_WAIT_MS) this.#flush();
    else this.#timer = setTimeout(() => this.#onTimer(), QUIET_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    this.#chars = 0;
    this.#writing = this.#writing.then(async () => {
      // A state folder that cannot be written costs the history, and nothing else.
      for (const { files, texts } of batch) await files.write(texts).catch(() => {});
      await this.#afterWrite();
    });
  }
}
