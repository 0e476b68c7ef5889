/**
 * Watches a bridge from outside while something goes on: whether it answers its client, and how large it is.
 * What the machine gave to others in the meantime is not counted where the system tells it (Linux).
 */
import { assertLessOrEqual } from "@std/assert";
import { waitedMs } from "../support/host_probe.ts";
import { residentBytes } from "../support/processes.ts";
import type { StdioClient } from "../support/stdio_client.ts";

const PING_MS = 50;
const SAMPLE_MS = 100;
const MIB = 1024 * 1024;

/** Longest time to an answer: five times what the event loop may stand still. */
const MAX_PING_MS = 5 * 250;
const MAX_MIB = 600;

/** Samples from its making until it is ended. */
export class BridgeWatch {
  #maxPingMs = 0;
  #maxBytes = 0;
  #isOver = false;
  readonly #done: Promise<unknown>;

  constructor(client: StdioClient) {
    this.#done = Promise.all([this.#ping(client), this.#measure(client.pid)]);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  /** Says what was seen, and holds it to its bounds. */
  assertWithin(): string {
    const [pingMs, mib] = [Math.round(this.#maxPingMs), Math.round(this.#maxBytes / MIB)];
    assertLessOrEqual(pingMs, MAX_PING_MS, `The bridge did not answer for ${pingMs} ms`);
    assertLessOrEqual(mib, MAX_MIB, `The bridge took ${mib} MiB`);
    return `ping ${pingMs} ms, ${mib} MiB`;
  }

  async #ping(client: StdioClient): Promise<void> {
    while (!this.#isOver) {
      const [sentAt, waited] = [performance.now(), waitedMs(client.pid)];
      await client.request("ping").reply;
      const pingMs = performance.now() - sentAt - (waitedMs(client.pid) - waited);
      this.#maxPingMs = Math.max(this.#maxPingMs, pingMs);
      await pause(PING_MS);
    }
  }

  async #measure(pid: number): Promise<void> {
    while (!this.#isOver) {
      this.#maxBytes = Math.max(this.#maxBytes, await residentBytes(pid));
      await pause(SAMPLE_MS);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
