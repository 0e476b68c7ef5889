/** Hostile JavaScript with its event loop, and with all that the real worker's lockdown takes away. */
import { files } from "./files.js";
import { network } from "./network.js";
import { system } from "./system.js";

/** An act that is neither refused nor done by then is told as such. */
const PATIENCE_MS = 10_000;

// Some refusals come as an error that nobody waits for, and would end the worker.
for (const kind of ["error", "unhandledrejection"]) {
  self.addEventListener(kind, (event) => event.preventDefault());
}

self.onmessage = async ({ data: world }) => {
  const outcomes = {};
  for (const [name, [act]] of Object.entries({ ...network, ...system, ...files })) {
    outcomes[name] = await outcomeOf(act, world);
  }
  self.postMessage({ outcomes });
};
self.postMessage({ booted: true });

async function outcomeOf(act, world) {
  const { promise, reject } = Promise.withResolvers();
  const timer = setTimeout(() => reject("no outcome"), PATIENCE_MS);
  try {
    await Promise.race([act(world), promise]);
    return { done: true };
  } catch (error) {
    return { done: false, said: String(error) };
  } finally {
    clearTimeout(timer);
  }
}
