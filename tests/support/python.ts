/** The Python of this machine, for tests that ask it what it thinks of text we wrote. */

/** Its command, and what to add to a test's name where there is none. */
export const python: { command: string | undefined; skipped: string } = await find();

/** Programs that forget an `await`, with what they print where tools are plain functions. */
export interface Forms {
  /** What the tool `give` gives by its argument, as JSON. */
  results: Record<string, string>;
  programs: { title: string; code: string; stdout: string; calls: number }[];
}

/** What `forgotten_awaits.py` makes. */
export async function createForms(count: number, seed: number): Promise<Forms> {
  return JSON.parse(await runPython("forgotten_awaits.py", [`${count}`, `${seed}`]));
}

/** What `check_python.py` says of some items. */
export async function checkWithPython(
  items: readonly unknown[],
): Promise<{ checked: number; problems: string[] }> {
  return JSON.parse(await runPython("check_python.py", [], JSON.stringify(items)));
}

/** What a script of this folder prints. */
async function runPython(name: string, args: readonly string[], input = ""): Promise<string> {
  const script = new URL(`./${name}`, import.meta.url).pathname;
  const child = new Deno.Command(python.command!, {
    args: [script, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).slice(-2000));
  return new TextDecoder().decode(stdout);
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
