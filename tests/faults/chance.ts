/** Chance that can be had again: what a suite of faults draws, its seed and how much of it there is. */

/** `MCP_BRIDGE_RANDOM_SEED` draws the same again; otherwise each run of a suite draws anew. */
export const SEED: number = Number(
  Deno.env.get("MCP_BRIDGE_RANDOM_SEED") ?? Math.floor(Math.random() * 1e9),
);

/** How many of something: `MCP_BRIDGE_SOAK` is the factor by which a long run does more. */
export function soak(count: number): number {
  return Math.round(count * Number(Deno.env.get("MCP_BRIDGE_SOAK") ?? 1));
}

/** Draws from a seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 up to and without `end`. */
  below(end: number): number {
    // A linear congruential generator, with the constants of Numerical Recipes; its high bits are the good ones.
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor(this.#state / 2 ** 32 * end);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}
