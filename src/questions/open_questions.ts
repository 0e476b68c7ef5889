/** Questions of one run that wait until somebody comes and answers them. */
import { AppError } from "../shared/errors.ts";
import { type Answer, type Asked, cannot } from "./question.ts";

/** After a first question, others that come within this time are asked along with it. */
const GATHER_MS = 50;

interface OpenQuestion {
  asked: Asked;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Keeps questions by keys, each until it has an answer or its call is over. */
export class OpenQuestions {
  readonly #open = new Map<string, OpenQuestion>();
  #onQuestion = () => {};
  #count = 0;

  get size(): number {
    return this.#open.size;
  }

  /** Those that have no answer yet, by their keys. */
  list(): [key: string, asked: Asked][] {
    return [...this.#open].map(([key, { asked }]) => [key, asked]);
  }

  /** Waits for the answer. */
  ask(asked: Asked): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const key = `q${++this.#count}`;
    this.#open.set(key, { asked, resolve, reject });
    const onAbort = () => {
      this.#open.delete(key);
      reject(toUnanswered(asked, "the call is over"));
    };
    if (asked.signal.aborted) onAbort();
    asked.signal.addEventListener("abort", onAbort, { once: true });
    this.#onQuestion();
    return promise.finally(() => asked.signal.removeEventListener("abort", onAbort));
  }

  /** Resolves a moment after there is a question. */
  async gathered(): Promise<undefined> {
    if (this.size === 0) await new Promise<void>((resolve) => this.#onQuestion = resolve);
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
  }

  /** Hands an answer on; `undefined` is one that does not fit the question. */
  answer(key: string, answer: Answer | undefined): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    if (answer !== undefined) open.resolve(answer);
    else {
      const message = `${cannot(open.asked.question)}: the client's answer is none`;
      open.reject(new AppError(message));
    }
  }

  /** Gives up all of them. */
  refuse(reason: string): void {
    for (const { asked, reject } of this.#open.values()) reject(toUnanswered(asked, reason));
    this.#open.clear();
  }
}

/** The error of a question that was asked and got no answer. */
export function toUnanswered({ question }: Asked, reason: string): AppError {
  return new AppError(`${cannot(question)}: ${reason}`);
}
