/**
 * The error of our own part: something we promised could not be done.
 *
 * What a user's Python does wrong is a result, never an `AppError`; what a client does wrong on the
 * protocol is the SDK's own error.
 */

/** Kinds of failure that somebody treats in a way of their own. */
export type ErrorCode = "config" | "not_ready" | "method_unknown";

/** Options of {@link AppError}. */
export interface AppErrorOptions {
  /** @default none: nobody looks at it */
  code?: ErrorCode | undefined;
  /** The next step, for the person or model who can take it. */
  hint?: string;
  /** What went wrong underneath. */
  cause?: unknown;
}

/** A failure of ours, with the next step in `hint` where there is one. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode | undefined;
  readonly hint: string | undefined;

  constructor(message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.hint = options.hint;
  }

  /** Message and hint as one text, the hint on its own line. */
  describe(): string {
    return this.hint === undefined ? this.message : `${this.message}\n  hint: ${this.hint}`;
  }
}

/** Any thrown value as an `AppError`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}

/** One text for any thrown value: an `AppError` with its hint, otherwise its message. */
export function describeError(error: unknown): string {
  return toAppError(error).describe();
}
