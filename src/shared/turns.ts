/** Long work over a list, in slices. */

/** Work of such a length delays nobody who waits for the event loop. */
const MAX_STRETCH_MS = 10;

/** The items one by one; in between, timers and other sessions have their turn. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  let beganMs = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - beganMs < MAX_STRETCH_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    beganMs = performance.now();
  }
}
