/** Waiting that ends. */

/** Longest time a timer can run; a longer one would go off at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** Waits for `promise` to settle, but no longer than `ms`; says whether it did. Never rejects. */
export async function settledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), ms));
  const settled = promise.then(() => true, () => true);
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
