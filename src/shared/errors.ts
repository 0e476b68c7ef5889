/**
 * The error of our own part: something we promised could not be done.
 *
 * What a user's Python does wrong is a result, never an `AppError`; what a client does wrong on the
 * protocol is the SDK's own error.
 */

/** Options of {@link AppError}. */
export interface AppErrorOptions {
  /** The next step, for the person or model who can take it. */
  hint?: string;
  /** What went wrong underneath. */
  cause?: unknown;
}

/** A failure of ours, with a stable `code` and, where there is one, the next step in `hint`. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
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
  return new AppError("internal", error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}

/** One text for any thrown value: an `AppError` with its hint, otherwise its message. */
export function describeError(error: unknown): string {
  return toAppError(error).describe();
}
