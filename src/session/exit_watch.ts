/** Lets run after run wait for the end of one sandbox without leaving anything behind on it. */
import type { SandboxExit } from "../engine/engine.ts";

/** Watches one sandbox's end for whichever run is going on. */
export class ExitWatch {
  #exit: SandboxExit | undefined;
  #listener: ((exit: SandboxExit) => void) | undefined;

  constructor(exited: Promise<SandboxExit>) {
    void exited.then((exit) => {
      this.#exit = exit;
      this.#listener?.(exit);
    });
  }

  /** Resolves at the sandbox's end; a promise given out before never resolves then. */
  next(): Promise<SandboxExit> {
    if (this.#exit !== undefined) return Promise.resolve(this.#exit);
    return new Promise((resolve) => this.#listener = resolve);
  }
}
