/** The process's standard streams, taken before the lockdown removes the way to them. */
const { stdin, stdout } = Deno;

/** Waits for bytes and gives their number; undefined at the end. */
export function readStdin(into: Uint8Array): number | undefined {
  return stdin.readSync(into) ?? undefined;
}

/** Writes all of it; waits while the host is far behind, so that endless output stays bounded. */
export function writeStdout(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += stdout.writeSync(bytes.subarray(at));
}
