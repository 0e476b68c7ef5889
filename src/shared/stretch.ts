/**
 * Work that may come without end and never waits for anything: after so long a stretch of it timers and all
 * others have their turn.
 */

const MAX_STRETCH_MS = 10;

/** Tells how long somebody has been at work, and gives way. */
export class Stretch {
  #beganMs = performance.now();
  #turn: Promise<void> | undefined;

  /** Whether it is time to give way. */
  get isOver(): boolean {
    return performance.now() - this.#beganMs > MAX_STRETCH_MS;
  }

  /** Waits for the event loop's next turn, together with the others who do. */
  giveWay(): Promise<void> {
    return this.#turn ??= new Promise((resolve) =>
      setImmediate(() => {
        this.#turn = undefined;
        this.#beganMs = performance.now();
        resolve();
      })
    );
  }

  /** Does work that comes in steps. */
  async finish<T>(steps: Generator<void, T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (this.isOver) await this.giveWay();
    }
  }
}

/** The items one by one; in between, others have their turn. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  const stretch = new Stretch();
  for (const item of items) {
    yield item;
    if (stretch.isOver) await stretch.giveWay();
  }
}
