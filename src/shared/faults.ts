/** Errors that nobody foresaw: told in full, and outlived. */
import type { Logger } from "./log.ts";

/** Such an error for the log: what was being done, and the whole stack. */
export function describeFault(doing: string, error: unknown): string {
  const { stack = String(error) } = Object(error) as Partial<Error>;
  return `Internal error while ${doing}; please report it: ${stack}`;
}

/**
 * The last net of the process: what such an error ends is the work it is thrown in, never the bridge that
 * everybody's servers hang on. What is expected to fail is caught where it fails.
 */
export function outliveFaults(log: Logger): void {
  const tell = (event: Event, error: unknown) => {
    event.preventDefault();
    log.error(describeFault("doing what nobody waits for", error));
  };
  globalThis.addEventListener("unhandledrejection", (event) => tell(event, event.reason));
  globalThis.addEventListener("error", (event) => tell(event, event.error));
}
