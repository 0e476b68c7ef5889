/**
 * One run of a client of 2026-07-28, over as many calls of `run_python` as it takes. Such a client is asked
 * by ending the call with the questions; it calls again with the answers. In between the run waits.
 */
import { isSpecType } from "@modelcontextprotocol/server";
import {
  type Abilities,
  type Answer,
  type Asked,
  type Asker,
  cannot,
  type Question,
} from "../../questions/question.ts";
import type { RunProgress, RunRequest } from "../../session/run_request.ts";
import type { RunResult } from "../../session/run_result.ts";
import { AppError } from "../../shared/errors.ts";
import { toForwarded } from "./forwarded_question.ts";

/** After a first question, others that come within this time are asked along with it. */
const GATHER_MS = 50;

/** One call of the client: as long as it lasts, it can be told of progress and can cancel the run. */
export interface Leg {
  signal: AbortSignal;
  onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** What a call ends with: the run's result, or questions by their keys. */
export type LegEnd =
  | { result: RunResult }
  | { questions: Readonly<Record<string, Question>> };

interface OpenQuestion {
  asked: Asked;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A run and its open questions. */
export class Conversation {
  readonly #open = new Map<string, OpenQuestion>();
  readonly #cancel = new AbortController();
  readonly #result: Promise<RunResult>;
  #onQuestion = () => {};
  #leg: Leg | undefined;
  #asked = 0;

  /** Starts the run at once. */
  constructor(
    start: (request: Pick<RunRequest, "signal" | "onProgress" | "asker">) => Promise<RunResult>,
    abilities: Abilities,
    first: Leg,
  ) {
    this.#leg = first;
    const asker: Asker = { abilities, ask: (asked) => this.#ask(asked) };
    const onProgress = (progress: RunProgress) => this.#leg?.onProgress?.(progress);
    this.#result = start({
      signal: this.#cancel.signal,
      asker,
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
        const end = await Promise.race([ended, this.#gathered()]);
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
    for (const [key, { asked: { question }, resolve, reject }] of this.#open) {
      if (!Object.hasOwn(responses, key)) continue;
      this.#open.delete(key);
      const response = responses[key];
      if (isAnswer(question.method, response)) resolve(response);
      else {reject(
          new AppError("answer", `${cannot(question.method)}: the client's answer is none`),
        );}
    }
  }

  /** Ends the run: its client will not come back. */
  cancel(): void {
    this.#cancel.abort();
  }

  /** Gives up all open questions, and lets the run go on. */
  refuse(reason: string): void {
    for (const { asked: { question }, reject } of this.#open.values()) {
      reject(new AppError("unanswered", `${cannot(question.method)}: ${reason}`));
    }
    this.#open.clear();
  }

  #ask(asked: Asked): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const key = `q${++this.#asked}`;
    this.#open.set(key, { asked, resolve, reject });
    const onAbort = () => {
      this.#open.delete(key);
      reject(new AppError("unanswered", `${cannot(asked.question.method)}: the call is over`));
    };
    if (asked.signal.aborted) onAbort();
    asked.signal.addEventListener("abort", onAbort, { once: true });
    this.#onQuestion();
    return promise.finally(() => asked.signal.removeEventListener("abort", onAbort));
  }

  /** Resolves a moment after there is a question. */
  async #gathered(): Promise<undefined> {
    if (this.#open.size === 0) await new Promise<void>((resolve) => this.#onQuestion = resolve);
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
  }

  #questions(): Record<string, Question> {
    const open = [...this.#open].map(([key, { asked }]) => [key, toForwarded(asked, true)]);
    return Object.fromEntries(open);
  }
}

/** Whether a client's answer has the shape of one; what is in it is for the server that asked. */
function isAnswer(method: Question["method"], value: unknown): value is Answer {
  switch (method) {
    case "elicitation/create":
      return isSpecType.ElicitResult(value);
    case "sampling/createMessage":
      return isSpecType.CreateMessageResult(value) ||
        isSpecType.CreateMessageResultWithTools(value);
    case "roots/list":
      return isSpecType.ListRootsResult(value);
  }
}
