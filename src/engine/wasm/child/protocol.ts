/** What the threads of the child say to each other, and what its exit codes mean to the host. */

/** How the child gets its interpreter. */
export type ChildMode = "snapshot" | "plain" | "build";

/** Exit codes of the child; the host turns them into words. */
export const EXIT_MEMORY = 86;
export const EXIT_SNAPSHOT_DAMAGED = 87;
export const EXIT_INTERPRETER_DIED = 88;

/** First message to the worker: everything it needs, since it may read nothing itself. */
export interface BootMessage {
  mode: ChildMode;
  wasm: WebAssembly.Module;
  stdlib: Uint8Array;
  lockFile: unknown;
  /** Memory of a booted interpreter; in mode `snapshot`. */
  snapshot?: Uint8Array;
  /** Path below `runtime/` → text. */
  runtimeFiles: Readonly<Record<string, string>>;
  /** Shared cells, see {@link INTERRUPT_CELL} and those after it. */
  cells: Int32Array;
  /** Where the host's lines come from. */
  lines: MessagePort;
}

/** Cell that holds 2 (SIGINT) while an interrupt waits for Python. */
export const INTERRUPT_CELL = 0;

/** Cell that counts the host's lines, so that the worker can wait for the next one. */
export const LINES_CELL = 1;

/** Cell that holds the number of the run, counted from 1, that the last interrupt is for. */
export const TARGET_CELL = 2;

/** Cell that counts the runs that were handed over. */
export const RUN_CELL = 3;

/** How many cells there are. */
export const CELLS = 4;

/** From the worker: the interpreter is there, or here are the bytes of its memory. */
export type WorkerEvent = { kind: "booted" } | { kind: "built"; snapshot: Uint8Array };

/** First message to the reader: where the host's lines go. */
export interface ReaderBoot {
  lines: MessagePort;
  cells: Int32Array;
}

/** From the reader: the host wants a run stopped, or is gone. */
export type ReaderEvent = { kind: "interrupt"; run: number } | { kind: "end" };
