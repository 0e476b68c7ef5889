/**
 * The two lists in `docs/architecture.md` that follow a run and a tool call file by file, held against what
 * runs: V8's own record of the functions that the host has called, and Python's of those of the runtime.
 */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { wasmTarget } from "./support/engines.ts";
import { BridgeHome } from "./support/bridge_home.ts";
import { connectWithServers, fixture, runWith } from "./support/bridge_servers.ts";
import { inFolder } from "./support/temp_folder.ts";
import { TestSession } from "./support/sessions.ts";
import { forRun } from "../src/downstream/for_run.ts";
import { FakeDownstream } from "./support/fake_downstream.ts";

/** Most files of the host that each may touch. */
const MOST = { run: 45, call: 33 };

const ROOT = new URL("..", import.meta.url);
const RUNTIME = "runtime/python/sandbox_runtime/";

const PRINT = "print(1)";

/** So many calls; the print is there in each. */
const calls = (count: number) =>
  `for _ in range(${count}): await mcp_bench.echo(value="x")\nprint(1)`;

/** Functions by file and place, with how often each was called. */
type Calls = Map<string, Map<string, number>>;

interface Script {
  url: string;
  functions: Array<{
    functionName: string;
    ranges: Array<{ startOffset: number; count: number }>;
  }>;
}

/** What a host calls from its start to its end, in which it runs the programs one after the other. */
async function callsOf(...programs: string[]): Promise<Calls> {
  const calls: Calls = new Map();
  await inFolder(async (folder) => {
    await using home = new BridgeHome();
    const env = { DENO_COVERAGE_DIR: folder };
    {
      await using client = await connectWithServers(home, { bench: fixture("workbench") }, { env });
      for (const code of programs) {
        const answer = await runWith(client, ["bench"], code, 30);
        assert(!answer.isError, JSON.stringify(answer));
      }
      await client.closeStdin();
      await client.ended;
    }
    for await (const { name } of Deno.readDir(folder)) {
      if (!name.endsWith(".json")) continue;
      const script: Script = JSON.parse(await Deno.readTextFile(`${folder}/${name}`));
      if (!script.url.startsWith(ROOT.href)) continue;
      calls.set(script.url.slice(ROOT.href.length), countsOf(script));
    }
  });
  return calls;
}

function countsOf({ functions }: Script): Map<string, number> {
  // The first of them is the module itself, which runs when it is loaded.
  return new Map(
    functions.slice(1).map(({ functionName, ranges: [whole] }) => [
      `${functionName} at ${whole!.startOffset}`,
      whole!.count,
    ]),
  );
}

/** Files of which something is called at least so much more often in `more` than in `less`: half of the time will do. */
function touched(less: Calls, more: Calls, times: number): string[] {
  return [...more].filter(([file, counts]) =>
    [...counts].some(([name, count]) => count - (less.get(file)?.get(name) ?? 0) >= times)
  ).map(([file]) => file).sort();
}

/** What the runtime calls while it runs a program, there and back. */
async function callsInside(code: string): Promise<Calls> {
  const echo = {
    name: "echo",
    alias: "echo",
    call: () => ({ kind: "value" as const, value: "x" }),
  };
  await using session = new TestSession(await wasmTarget.create(), {
    forRun: forRun(new FakeDownstream({ bench: [echo] })),
  });
  const run = async (text: string) => {
    const result = await session.run(text, { servers: ["bench"] });
    assertEquals(result.status, "success", result.stderr);
    return result.stdout;
  };
  await run(code);
  await run(
    "import sys, collections\nseen = collections.Counter()\n" +
      'def note(frame, event, arg):\n    if event == "call": seen[frame.f_code.co_filename] += 1\n' +
      "sys.setprofile(note)",
  );
  await run(code);
  const lines = await run(
    'sys.setprofile(None)\nfor file in seen:\n    if "sandbox_runtime/" in file: print(file, seen[file])',
  );
  return new Map(
    lines.trimEnd().split("\n").map((line) => {
      const [file, count] = line.split(" ");
      return [RUNTIME + file!.split("sandbox_runtime/")[1], new Map([["all", Number(count)]])];
    }),
  );
}

/** The files that a section names, in its order. */
async function listed(section: string): Promise<string[]> {
  const page = await Deno.readTextFile(new URL("docs/architecture.md", ROOT));
  const text = page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = text.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) => /^\| `([^`]+)`/.exec(row)![1]!);
}

async function compare(section: string, files: readonly string[], most: number): Promise<void> {
  const named = await listed(section);
  assertEquals(named.toSorted(), [...files].sort());
  const host = named.filter((file) => !file.startsWith(RUNTIME));
  // deno-lint-ignore no-console
  console.log(
    `${section}: ${host.length} of the host, ${named.length - host.length} of the runtime`,
  );
  assertLessOrEqual(host.length, most);
}

Deno.test("the page follows one run through every file that it touches, and no other", async () => {
  const programs = (count: number) => Array<string>(count).fill(PRINT);
  const host = touched(await callsOf(...programs(3)), await callsOf(...programs(10)), 4);
  const inside = touched(new Map(), await callsInside(PRINT), 1);
  await compare("The files of one run", [...host, ...inside], MOST.run);
});

Deno.test("the page follows one tool call through every file that it touches, and no other", async () => {
  const host = touched(await callsOf(calls(3)), await callsOf(calls(30)), 14);
  const inside = touched(await callsInside(calls(3)), await callsInside(calls(30)), 14);
  await compare("The files of one tool call", [...host, ...inside], MOST.call);
});
