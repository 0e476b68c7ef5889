/**
 * Who is asked when a server of the old era asks. Its request names no call, and one connection serves
 * many sessions: the call that was started last is taken to be the reason, since that is the one a server
 * has just begun with.
 */
import { askClient, type Asker, toUncalledRefusal } from "../../questions/asker.ts";
import type { Answer, Asked } from "../../questions/question.ts";

/** A use of the connection. */
export interface Use {
  asker: Asker | undefined;
  /** Whether it is a call, as opposed to a start or a look at the tools. */
  isCall: boolean;
}

interface OpenUse extends Use {
  /** Ends the questions it gave rise to; most uses give rise to none. */
  over?: AbortController;
}

/** The uses of one connection, in the order they began. */
export class CallsInFlight {
  readonly #open = new Set<OpenUse>();

  get size(): number {
    return this.#open.size;
  }

  /** Begins a use; the result ends it, and with it the questions it gave rise to. */
  enter(use: Use): () => void {
    const open: OpenUse = { ...use };
    this.#open.add(open);
    return () => {
      this.#open.delete(open);
      open.over?.abort();
    };
  }

  /**
   * Has the client of the last call answer.
   *
   * @throws {Refusal} if there is no such call or its client cannot.
   */
  async ask({ server, question, signal }: Asked): Promise<Answer> {
    const use = [...this.#open].findLast(({ isCall }) =>
      // Many a server asks for the roots as soon as it is started.
      isCall || question.kind === "roots"
    );
    if (use === undefined) throw toUncalledRefusal(question);
    use.over ??= new AbortController();
    const either = AbortSignal.any([signal, use.over.signal]);
    return await askClient(use.asker, { server, question, signal: either });
  }
}
