/**
 * Who is asked when a server of the old era asks. Its request names no call, and one connection serves
 * many sessions: the call that was started last is taken to be the reason, since that is the one a server
 * has just begun with.
 */
import { INVALID_REQUEST, METHOD_NOT_FOUND, ProtocolError } from "@modelcontextprotocol/client";
import {
  type Answer,
  type Asked,
  type Asker,
  findRefusal,
  MAX_OPEN_QUESTIONS,
  toCrowdedRefusal,
  toUncalledRefusal,
  withDefaults,
} from "../../questions/question.ts";

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
   * @throws {ProtocolError} with the reason, if there is no such call or its client cannot.
   */
  async ask({ server, question, signal }: Asked): Promise<Answer> {
    const use = [...this.#open].findLast(({ isCall }) =>
      // Many a server asks for the roots as soon as it is started.
      isCall || question.method === "roots/list"
    );
    if (use === undefined) {
      throw new ProtocolError(METHOD_NOT_FOUND, toUncalledRefusal(question.method));
    }
    use.over ??= new AbortController();
    const either = AbortSignal.any([signal, use.over.signal]);
    return await askClient(use.asker, { server, question, signal: either });
  }
}

/**
 * Asks a client, unless it cannot answer.
 *
 * @throws {ProtocolError} with the reason, if it cannot.
 */
export async function askClient(asker: Asker | undefined, asked: Asked): Promise<Answer> {
  const refusal = findRefusal(asked.question, asker?.abilities);
  if (asker === undefined || refusal !== undefined) {
    throw new ProtocolError(METHOD_NOT_FOUND, refusal ?? "");
  }
  const { server, question } = asked;
  const open = openQuestions.get(asker) ?? new Map<string, number>();
  openQuestions.set(asker, open);
  const count = open.get(server) ?? 0;
  if (count >= MAX_OPEN_QUESTIONS) {
    throw new ProtocolError(INVALID_REQUEST, toCrowdedRefusal(question.method));
  }
  open.set(server, count + 1);
  try {
    return withDefaults(question, await asker.ask(asked));
  } finally {
    open.set(server, open.get(server)! - 1);
  }
}

/** Those of each run, by server. */
const openQuestions = new WeakMap<Asker, Map<string, number>>();
