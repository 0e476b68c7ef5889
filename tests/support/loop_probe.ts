/**
 * Loaded before a program: says on stderr how long its event loop stood still, each time that it was for
 * long. What the machine gave to others in the meantime is not counted.
 */
import { waitedMs } from "./host_probe.ts";

const SAMPLE_MS = 5;

/** Less than this is not worth a line. */
const LONG_MS = 20;

/** How each line begins; a number of milliseconds follows. */
const MARK = "event loop stood still: ";

let sampledAt = performance.now();
let waited = waitedMs();

Deno.unrefTimer(setInterval(() => {
  const [now, waitedNow] = [performance.now(), waitedMs()];
  const ms = now - sampledAt - SAMPLE_MS - (waitedNow - waited);
  [sampledAt, waited] = [now, waitedNow];
  // deno-lint-ignore no-console
  if (ms > LONG_MS) console.error(`${MARK}${Math.round(ms)}`);
}, SAMPLE_MS));
