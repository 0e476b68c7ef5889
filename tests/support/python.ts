/** The Python of this machine, for tests that ask it what it thinks of text we wrote. */

/** Its command, and what to add to a test's name where there is none. */
export const python: { command: string | undefined; skipped: string } = await find();

/** What `check_python.py` says of some items. */
export async function checkWithPython(
  items: readonly unknown[],
): Promise<{ checked: number; problems: string[] }> {
  const script = new URL("./check_python.py", import.meta.url).pathname;
  const child = new Deno.Command(python.command!, {
    args: [script],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(items)));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).slice(-2000));
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function find(): Promise<typeof python> {
  const test = "import sys; sys.exit(sys.version_info < (3, 11))";
  for (const command of ["python3", "python"]) {
    const found = await new Deno.Command(command, {
      args: ["-c", test],
      stdout: "null",
      stderr: "null",
    }).output().catch(() => undefined);
    if (found?.success) return { command, skipped: "" };
  }
  return { command: undefined, skipped: " (skipped: no python3 of version 3.11 or newer)" };
}
