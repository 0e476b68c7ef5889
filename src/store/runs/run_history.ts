/** The earlier runs of one session, so that its code can read what they printed. */
import { AppError, toAppError } from "../../shared/errors.ts";
import { OWN_FILES } from "./file_name.ts";
import { MAX_RUNS, type RunStore } from "./run_store.ts";

/** A stream of a run. */
export type StreamName = "stdout" | "stderr";

/** A piece of what a run printed. */
export interface OutputPiece {
  bytes: Uint8Array;
  /** Size of the whole, in bytes. */
  size: number;
}

/** Remembers the names of a session's runs. */
export class RunHistory {
  readonly #store: RunStore;
  #runs: string[] = [];

  constructor(store: RunStore) {
    this.#store = store;
  }

  /** Takes a run that is over. */
  add(run: string): void {
    this.#runs.push(run);
    if (this.#runs.length > MAX_RUNS) this.#runs.shift();
  }

  /**
   * SECURITY: session boundary. A piece of what one of this session's runs printed: −1 is the last one.
   *
   * @throws {AppError} if it is not there any more, or never was.
   */
  async read(
    back: number,
    stream: StreamName,
    offset: number,
    length: number,
  ): Promise<OutputPiece> {
    const run = this.#runs.at(back);
    if (run === undefined) {
      const known = this.#runs.length === 0
        ? "this is the first run of the session"
        : `the session has ${this.#runs.length} earlier runs`;
      throw new AppError(`Cannot read the output of run ${back}: ${known}`);
    }
    const name = OWN_FILES[stream];
    try {
      const read = await this.#store.read(run, name, offset, length);
      if (read !== undefined) return read;
    } catch (error) {
      const { message } = toAppError(error);
      throw new AppError(`Cannot read the output of run ${back}: ${message}`, {
        cause: error,
      });
    }
    if (this.#store.textsOf(run)?.includes(name) === false) {
      return { bytes: new Uint8Array(0), size: 0 };
    }
    throw new AppError(
      `Cannot read the output of run ${back}: it is not kept; only the last ${MAX_RUNS} runs ` +
        "are, where the state folder can be written",
    );
  }
}
