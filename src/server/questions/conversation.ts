/**
 * One run of a client of 2026-07-28, over as many calls of `run_python` as it takes. Such a client is asked
 * by ending the call with the questions; it calls again with the answers. In between the run waits.
 */
import type { InputRequests } from "@modelcontextprotocol/server";
import type { Abilities } from "../../questions/asker.ts";
import { OpenQuestions } from "../../questions/open_questions.ts";
import type { RunProgress, RunRequest } from "../../session/run_request.ts";
import type { RunResult } from "../../session/run_result.ts";
import { isAnswer, toForwarded } from "./forwarded_question.ts";

/** One call of the client: as long as it lasts, it can be told of progress and can cancel the run. */
export interface Leg {
  signal: AbortSignal;
  onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** What a call ends with: the run's result, or questions by their keys. */
export type LegEnd = { result: RunResult } | { questions: InputRequests };

/** A run and its open questions. */
export class Conversation {
  readonly #open = new OpenQuestions();
  readonly #cancel = new AbortController();
  readonly #result: Promise<RunResult>;
  #leg: Leg | undefined;

  /** Starts the run at once. */
  constructor(
    start: (request: Pick<RunRequest, "signal" | "onProgress" | "asker">) => Promise<RunResult>,
    abilities: Abilities,
    first: Leg,
  ) {
    this.#leg = first;
    const onProgress = (progress: RunProgress) => this.#leg?.onProgress?.(progress);
    this.#result = start({
      signal: this.#cancel.signal,
      asker: { abilities, ask: (asked) => this.#open.ask(asked) },
      ...(first.onProgress && { onProgress }),
    });
  }

  /** Waits, on behalf of one call, for the end of the run or for questions. */
  async next(leg: Leg): Promise<LegEnd> {
    this.#leg = leg;
    const onAbort = () => this.cancel();
    if (leg.signal.aborted) onAbort();
    leg.signal.addEventListener("abort", onAbort, { once: true });
    const ended = this.#result.then((result) => ({ result }));
    try {
      for (;;) {
        const end = await Promise.race([ended, this.#open.gathered()]);
        if (end !== undefined) return end;
        if (this.#open.size > 0) return { questions: this.#questions() };
      }
    } finally {
      leg.signal.removeEventListener("abort", onAbort);
      this.#leg = undefined;
    }
  }

  /** Hands answers on by their keys; a question without one stays open. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, { question }] of this.#open.list()) {
      if (!Object.hasOwn(responses, key)) continue;
      const response = responses[key];
      this.#open.answer(key, isAnswer(question, response) ? response : undefined);
    }
  }

  /** Ends the run: its client will not come back. */
  cancel(): void {
    this.#cancel.abort();
  }

  /** Gives up all open questions, and lets the run go on. */
  refuse(reason: string): void {
    this.#open.refuse(reason);
  }

  #questions(): InputRequests {
    return Object.fromEntries(
      this.#open.list().map(([key, asked]) => [key, toForwarded(asked, true)]),
    );
  }
}
