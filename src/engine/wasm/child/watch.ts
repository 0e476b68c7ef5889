/**
 * What the main thread does from the first `execute` on: it looks after memory, the host and interrupts,
 * and never comes back to its event loop. So it takes no message and no error of Python's worker, whatever
 * is sent: that stays where it is and counts as memory.
 */
import type { Interrupter } from "./interrupter.ts";
import type { News } from "./news.ts";
import { EXIT_MEMORY } from "./protocol.ts";

const CHECK_MS = 100;

/** What is watched. */
export interface Watched {
  news: News;
  interrupter: Interrupter;
  maxResidentBytes: number;
  /** The process that started this one. */
  parent: number;
}

/** Watches until the process is to end, and gives its exit code. */
export function watch({ news, interrupter, maxResidentBytes, parent }: Watched): number {
  for (;;) {
    const { count, exitCode } = news;
    if (exitCode !== undefined) return exitCode;
    // SECURITY: host boundary. Whoever reads stdin sees that the host is gone; this is for programs that get
    // in the way of it. Windows has no such sign.
    if (Deno.ppid !== parent) return 0;
    // SECURITY: memory boundary. V8's cap holds Python's memory; this holds what JavaScript adds to it.
    const { rss } = Deno.memoryUsage();
    // It is read from a file, and 0 if no more can be opened.
    if (rss === 0 || rss > maxResidentBytes) return EXIT_MEMORY;
    interrupter.signal(news.interruptedRun);
    news.wait(count, CHECK_MS);
  }
}
