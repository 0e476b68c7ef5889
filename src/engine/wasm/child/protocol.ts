/** What the threads of the child say to each other, and what its exit codes mean to the host. */

/** How the child gets its interpreter. */
export type ChildMode = "snapshot" | "plain" | "build";

/** Exit codes of the child; the host turns them into words. */
export const EXIT_MEMORY = 86;
export const EXIT_SNAPSHOT_DAMAGED = 87;
export const EXIT_INTERPRETER_DIED = 88;

/** What the reader and Python's thread share. To the reader it is the first message. */
export interface Shared {
  /** Cells, see {@link INTERRUPT_CELL} and those after it. Python can reach them. */
  cells: Int32Array;
  /** Cells of `stdin_turns.ts`, which Python cannot reach. */
  turns: Int32Array;
  /** Cells of `news.ts`, which Python cannot reach. */
  news: Int32Array;
  /** By which chunks of stdin go from the one to the other: an end for each. */
  chunks: MessagePort;
}

/** First message to the worker: everything it needs, since it may read nothing itself. */
export interface BootMessage extends Shared {
  mode: ChildMode;
  wasm: WebAssembly.Module;
  stdlib: Uint8Array;
  lockFile: unknown;
  /** Memory of a booted interpreter; in mode `snapshot`. */
  snapshot?: Uint8Array<ArrayBuffer>;
  /** Path below `runtime/python/` → text. */
  runtimeFiles: Readonly<Record<string, string>>;
}

/** Most bytes that are read from stdin at once. */
export const CHUNK_BYTES = 64 * 1024;

/** Cell that holds 2 (SIGINT) while an interrupt waits for Python. */
export const INTERRUPT_CELL = 0;

/** Cell that holds the number of the run, counted from 1, that the last interrupt is for. */
export const TARGET_CELL = 1;

/** Cell that counts the runs that were read from stdin. */
export const RUN_CELL = 2;

/** How many cells there are. */
export const CELLS = 3;

/** From the worker: the interpreter is there, or here are the bytes of its memory. */
export type WorkerEvent = { kind: "booted" } | { kind: "built"; snapshot: Uint8Array };
