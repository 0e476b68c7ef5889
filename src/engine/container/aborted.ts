/** The one way in which a start says that it was given up. */
import { AppError } from "../../shared/errors.ts";

/** @throws {AppError} `aborted` if it was. */
export function assertNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new AppError("aborted", "The start of the sandbox was cancelled", {
      cause: signal.reason,
    });
  }
}
