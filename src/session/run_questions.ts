/** Questions of servers during one run: its clock stands still while one is open, and progress names it. */
import type { Asker } from "../questions/asker.ts";
import { type Asked, describeAsked } from "../questions/question.ts";
import type { PausableClock } from "../shared/pausable_clock.ts";

/** Watches the questions of one run. */
export class RunQuestions {
  readonly #clock: PausableClock;
  readonly #onAsk: (message: string) => void;
  readonly #open = new Set<{ message: string }>();

  constructor(clock: PausableClock, onAsk: (message: string) => void) {
    this.#clock = clock;
    this.#onAsk = onAsk;
  }

  /** What is asked now, in words. */
  get open(): string | undefined {
    return [...this.#open].at(-1)?.message;
  }

  /** The same client, asked under these conditions. */
  through(client: Asker): Asker {
    return { abilities: client.abilities, ask: (asked) => this.#ask(client, asked) };
  }

  async #ask(client: Asker, asked: Asked): ReturnType<Asker["ask"]> {
    const open = { message: describeAsked(asked) };
    this.#open.add(open);
    this.#onAsk(open.message);
    const goOn = this.#clock.pause();
    try {
      return await client.ask(asked);
    } finally {
      goOn();
      this.#open.delete(open);
    }
  }
}
