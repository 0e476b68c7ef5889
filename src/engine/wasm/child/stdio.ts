/** The process's standard streams, taken before the lockdown removes the way to them. */
const { stderr, stdin, stdout } = Deno;

/** More is not kept by the host, and an error can be as long as a program likes. */
const MAX_STDERR_CHARS = 2000;

/** Waits for bytes and gives their number; undefined at the end. */
export function readStdin(into: Uint8Array): number | undefined {
  return stdin.readSync(into) ?? undefined;
}

/** Writes all of it; waits while the host is far behind, so that endless output stays bounded. */
export function writeStdout(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += stdout.writeSync(bytes.subarray(at));
}

/** Tells the host's log why a thread ends. */
export function writeStderr(text: string): void {
  stderr.writeSync(new TextEncoder().encode(`${text.slice(0, MAX_STDERR_CHARS)}\n`));
}
