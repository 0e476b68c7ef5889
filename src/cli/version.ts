/** The text of `--version`. */
import { VERSION } from "../shared/version.ts";

/** What `--version` prints, newline included. */
export function formatVersion(): string {
  return `${VERSION}\n`;
}
