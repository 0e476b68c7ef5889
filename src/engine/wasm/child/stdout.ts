/** The process's stdout, taken before the lockdown removes the way to it. */
const { stdout } = Deno;

/** Writes all of it; waits while the host is far behind, so that endless output stays bounded. */
export function writeStdout(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += stdout.writeSync(bytes.subarray(at));
}
