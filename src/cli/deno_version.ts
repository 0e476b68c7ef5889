/** Which Deno the sources need. A compiled program brings its own. */
import { AppError } from "../shared/errors.ts";

/** The oldest that is tested. With those before 2.8 the server would start, and fail with the first run. */
export const OLDEST_DENO = "2.8.3";

/**
 * Refuses a Deno that is too old.
 *
 * @throws {AppError} `config` if it is.
 */
export function checkDenoVersion(version: string): void {
  if (compare(parts(version), parts(OLDEST_DENO)) >= 0) return;
  throw new AppError(`Cannot run on Deno ${version}: it needs ${OLDEST_DENO} or later`, {
    code: "config",
    hint: 'Run "deno upgrade", or write "npx -y deno@2.9.6" in place of "deno"',
  });
}

/** `2.9.0-rc.1` counts as 2.9.0. */
function parts(version: string): number[] {
  return version.split(/[-+]/)[0]!.split(".").map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at === -1 ? 0 : a[at]! - b[at]!;
}
