/** Tells the person what is configured and not used: each thing once, as long as it stays so. */
import type { SkippedEntry } from "../../discovery/entry/server_entry.ts";
import { toSkippedLine } from "../../discovery/skipped_text.ts";
import type { Logger, LogLevel } from "../../shared/log.ts";

/** What is wrong, what is so on purpose, and what goes without saying. */
const LEVELS: Readonly<Record<SkippedEntry["status"], LogLevel>> = {
  invalid: "warn",
  untrusted: "warn",
  disabled: "info",
  shadowed: "debug",
  self: "debug",
};

/** Remembers what was told. */
export class SkippedLog {
  readonly #log: Logger;
  #latest: readonly SkippedEntry[] = [];
  #told: ReadonlySet<string> = new Set();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Logs what was not there the last time. */
  note(skipped: readonly SkippedEntry[]): void {
    // Discovery gives the same list while nothing changes.
    if (skipped === this.#latest) return;
    this.#latest = skipped;
    const told = new Set<string>();
    for (const entry of skipped) {
      const line = toSkippedLine(entry);
      if (!this.#told.has(line) && !told.has(line)) this.#log[LEVELS[entry.status]](line);
      told.add(line);
    }
    this.#told = told;
  }
}
