/**
 * Every test, in one command: the Deno suites, then the Python unit tests of `runtime/`. Ends with a line
 * `N passed, N failed, N skipped`.
 */

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const root = new URL("..", import.meta.url);

/** Runs a command and gives back its output as text, which is shown as it comes unless it is `quiet`. */
async function run(
  command: string,
  args: string[],
  { quiet = false } = {},
): Promise<{ success: boolean; output: string }> {
  const child = new Deno.Command(command, {
    args,
    cwd: root,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let output = "";
  const show = async (stream: ReadableStream<Uint8Array>, target: typeof Deno.stdout) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      for (let at = 0; !quiet && at < chunk.length;) at += await target.write(chunk.subarray(at));
    }
  };
  await Promise.all([show(child.stdout, Deno.stdout), show(child.stderr, Deno.stderr)]);
  return { success: (await child.status).success, output };
}

async function denoTests(): Promise<Counts> {
  const { success, output } = await run(Deno.execPath(), ["test", "--quiet", "-A", "tests/"]);
  // deno-lint-ignore no-control-regex
  const plain = output.replaceAll(/\x1b\[[0-9;]*m/g, "");
  const [, passed, failed, ignored] =
    /(\d+) passed(?: \([^)]*\))? \| (\d+) failed(?:.*? (\d+) ignored)?/.exec(plain) ?? [];
  const counts = {
    passed: Number(passed ?? 0),
    failed: Number(failed ?? 0),
    skipped: Number(ignored ?? 0),
  };
  // A suite that does not even load, or a leak found after the last test, counts as a failure.
  if (!success && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** Those of `runtime/`, beside the others, and what they print. */
async function pythonTests(): Promise<Counts & { text: string }> {
  const python = await findPython();
  if (python === undefined) {
    const text = "Skipped the Python unit tests: no python3 of version 3.11 or newer is on PATH";
    return { passed: 0, failed: required ? 1 : 0, skipped: 1, text };
  }
  const folder = "tests/runtime";
  const { success, output } = await run(
    python,
    ["-m", "unittest", "discover", "-s", folder, "-t", folder],
    { quiet: true },
  );
  const ran = Number(/^Ran (\d+) tests?/m.exec(output)?.[1] ?? 0);
  const number = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(output)?.[1] ?? 0);
  const skipped = number("skipped");
  let failed = number("failures") + number("errors");
  if ((!success || ran === 0) && failed === 0) failed = 1;
  return { passed: Math.max(0, ran - failed - skipped), failed, skipped, text: output };
}

async function findPython(): Promise<string | undefined> {
  for (const name of ["python3", "python"]) {
    try {
      const { success } = await new Deno.Command(name, {
        args: ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"],
        stdout: "null",
        stderr: "null",
      }).output();
      if (success) return name;
    } catch {
      // Not there: try the next name.
    }
  }
  return undefined;
}

function log(text: string): void {
  const bytes = new TextEncoder().encode(`${text}\n`);
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

/** Where an engine or a tool must be there, its absence is a failure. */
const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";

const python = pythonTests();
const deno = await denoTests();
const { text, ...inside } = await python;
log(text);
const results = [deno, inside];
const sum = (key: keyof Counts) => results.reduce((total, counts) => total + counts[key], 0);
log(`\n${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
Deno.exit(sum("failed") === 0 && sum("passed") > 0 ? 0 : 1);
