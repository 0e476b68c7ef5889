/**
 * Bytes that reach the interpreter's file descriptors 1 and 2 without passing `sys.stdout`: C code,
 * `os.write`. Pyodide hands them over while Python cannot be called, so they become messages here.
 */

type StreamName = "stdout" | "stderr";

/** Bytes that make a message of their own. */
const BATCH_BYTES = 64 * 1024;

/** Gathers raw writes and turns them into messages of the run that is going on. */
export class RawOutput {
  readonly #post: (line: Uint8Array) => void;
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  readonly #texts = { stdout: "", stderr: "" };
  #runId: string | undefined;

  constructor(post: (line: Uint8Array) => void) {
    this.#post = post;
  }

  /** What is written from now on belongs to this run. */
  begin(runId: string): void {
    this.#runId = runId;
  }

  /** The writer that Pyodide calls for a stream. */
  writer(name: StreamName): (bytes: Uint8Array) => number {
    return (bytes) => {
      // A copy, since the bytes are a view of the interpreter's memory.
      this.#texts[name] += this.#decoders[name].decode(bytes.slice(), { stream: true });
      if (this.#texts[name].length >= BATCH_BYTES) this.flush();
      return bytes.length;
    };
  }

  /** Sends what has come together; call it before any other message goes out. */
  flush(): void {
    for (const type of ["stdout", "stderr"] as const) {
      const data = this.#texts[type];
      const id = this.#runId;
      if (data === "" || id === undefined) continue;
      this.#texts[type] = "";
      this.#post(new TextEncoder().encode(JSON.stringify({ type, id, data }) + "\n"));
    }
  }
}
