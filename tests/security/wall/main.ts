/**
 * A child as the embedded engine makes it, with hostile JavaScript in the place of Python; or, in mode `free`,
 * the same JavaScript with every permission. Prints what became of each attempt.
 */
import {
  dropPermissions,
  startConfinedWorker,
} from "../../../src/engine/wasm/child/confinement.ts";

const [mode, world] = Deno.args;
const specifier = import.meta.resolve("./worker.js");
const worker = mode === "walled"
  ? startConfinedWorker(specifier)
  : new Worker(specifier, { type: "module" });

/** The worker's next message with this member; a module that an attempt imports may send something, too. */
const next = (member: string) =>
  new Promise<unknown>((resolve) =>
    worker.onmessage = ({ data }) => member in data && resolve(data[member])
  );
await next("booted");
if (mode === "walled") await dropPermissions();
const outcomes = next("outcomes");
worker.postMessage(JSON.parse(world!));

function readSource(): { done: boolean; said?: string } {
  try {
    Deno.readTextFileSync(new URL(import.meta.url));
    return { done: true };
  } catch (error) {
    return { done: false, said: String(error) };
  }
}

const text = JSON.stringify({ worker: await outcomes, main: readSource() });
await new Blob([text]).stream().pipeTo(Deno.stdout.writable);
Deno.exit(0);
