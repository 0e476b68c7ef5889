/**
 * Every test, in one command: the contract suite, which starts hundreds of sandboxes, and beside it the
 * other Deno suites and the Python unit tests of `runtime/`. Ends with a line
 * `N passed, N failed, N skipped`.
 */

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const root = new URL("..", import.meta.url);

/** Runs a command and gives its output back as text; shows it as it comes, or in one piece at the end. */
async function run(
  command: string,
  args: string[],
  { live }: { live: boolean },
): Promise<{ success: boolean; output: string }> {
  const child = new Deno.Command(command, {
    args,
    cwd: root,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let output = "";
  const gather = async (stream: ReadableStream<Uint8Array>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      output += text;
      if (live) await show(text);
    }
  };
  await Promise.all([gather(child.stdout), gather(child.stderr)]);
  if (!live) await show(output);
  return { success: (await child.status).success, output };
}

async function show(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}

async function denoTests(files: string[], options: { live: boolean }): Promise<Counts> {
  const args = ["test", "--quiet", "-A", ...files];
  const { success, output } = await run(Deno.execPath(), args, options);
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

async function pythonTests(): Promise<Counts> {
  const python = await findPython();
  if (python === undefined) {
    await show("Skipped the Python unit tests: no python3 of version 3.11 or newer is on PATH\n");
    return { passed: 0, failed: required ? 1 : 0, skipped: 1 };
  }
  const folder = "tests/runtime";
  const { success, output } = await run(
    python,
    ["-m", "unittest", "discover", "-s", folder, "-t", folder],
    { live: false },
  );
  const ran = Number(/^Ran (\d+) tests?/m.exec(output)?.[1] ?? 0);
  const number = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(output)?.[1] ?? 0);
  const skipped = number("skipped");
  let failed = number("failures") + number("errors");
  if ((!success || ran === 0) && failed === 0) failed = 1;
  return { passed: Math.max(0, ran - failed - skipped), failed, skipped };
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

/** Where an engine or a tool must be there, its absence is a failure. */
const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";

const results = (await Promise.all([
  denoTests(["tests/contract/"], { live: true }).then((counts) => [counts]),
  denoTests(["tests/", "--ignore=tests/contract/"], { live: false })
    .then(async (counts) => [counts, await pythonTests()]),
])).flat();
const sum = (key: keyof Counts) => results.reduce((total, counts) => total + counts[key], 0);
const line = `${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`;
await show(`\n${line}\n`);
Deno.exit(sum("failed") === 0 && sum("passed") > 0 ? 0 : 1);
