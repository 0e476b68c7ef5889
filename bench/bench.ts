/**
 * `deno task bench`: one table, each row beside a floor measured in the same run, since the machines it
 * runs on differ and are noisy. Ends with code 1 when a target is missed.
 */
import { callRows } from "./calls_bench.ts";
import { containerRows } from "./container_bench.ts";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import {
  formatTable,
  isWithinTarget,
  quantile,
  residentMegabytes,
  type Row,
  time,
} from "./measure.ts";
import { StdioPeer } from "./stdio_peer.ts";

const STARTS = 7;
const WARM_CALLS = 500;

const resolve = (path: string) => import.meta.resolve(path);
const ours = () => new StdioPeer(["-P", resolve("../main.ts")], { MCP_BRIDGE_ENGINE: "wasm" });
const bare = () => new StdioPeer(["-A", resolve("./floors/sdk_echo_server.ts")]);

async function start(create: () => StdioPeer, code?: string): Promise<number> {
  const startedAt = performance.now();
  await using peer = create();
  await peer.initialize();
  if (code !== undefined) await peer.call("run_python", code);
  return performance.now() - startedAt;
}

/** Milliseconds that a program takes from its start to its end. */
async function runToEnd(args: readonly string[]): Promise<number> {
  return await time(() =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", ...args],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output()
  );
}

/** Medians of two things measured in turn, so that both see the same noise. */
async function compare(
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let at = 0; at < STARTS; at++) {
    times[0].push(await first());
    times[1].push(await second());
  }
  return [quantile(times[0], 0.5), quantile(times[1], 0.5)];
}

/** A plain Pyodide: time to its first `print(1)`, time to print 200,000 lines, resident memory. */
async function plainPyodide(): Promise<{ bootMs: number; printMs: number; megabytes: number }> {
  const startedAt = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", resolve("./floors/plain_pyodide.ts")],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines: string[] = [];
  let bootMs = 0;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    bootMs ||= performance.now() - startedAt;
    lines.push(...text.trim().split("\n"));
    if (lines.length >= 2) break;
  }
  const { own } = await residentMegabytes(child.pid);
  child.kill("SIGKILL");
  await child.status;
  return { bootMs, printMs: JSON.parse(lines[1]!).printMs, megabytes: own };
}

async function startRows(): Promise<Row[]> {
  await start(ours, "print(1)"); // Builds the snapshot where there is none.
  await plainPyodide(); // Fetches it where it is not there.
  const [version, empty] = await compare(
    () => runToEnd(["-P", resolve("../main.ts"), "--version"]),
    () => runToEnd([resolve("./floors/empty.ts")]),
  );
  const [initialize, bareInitialize] = await compare(() => start(ours), () => start(bare));
  const [first, boot] = await compare(
    () => start(ours, "print(1)"),
    async () => (await plainPyodide()).bootMs,
  );
  return [
    {
      what: "--version",
      ours: version,
      unit: "ms",
      floor: { what: "empty program", value: empty },
    },
    {
      what: "spawn → initialize",
      ours: initialize,
      unit: "ms",
      floor: { what: "bare SDK server", value: bareInitialize },
      target: { times: 1.5 },
    },
    {
      what: "spawn → first print(1)",
      ours: first,
      unit: "ms",
      floor: { what: "plain Pyodide boot", value: boot },
      target: { times: 1 / 3 },
    },
  ];
}

async function warmRows(): Promise<Row[]> {
  await using server = ours();
  await using echo = bare();
  await Promise.all([server.initialize(), echo.initialize()]);
  const times: [number[], number[]] = [[], []];
  for (let at = -50; at < WARM_CALLS; at++) {
    const mine = await time(() => server.call("run_python", "print(1)"));
    const floor = await time(() => echo.call("echo", "print(1)"));
    if (at >= 0) times[0].push(mine), times[1].push(floor);
  }
  const row = (name: string, share: number, target?: Row["target"]): Row => ({
    what: `warm print(1), ${name}`,
    ours: quantile(times[0], share),
    unit: "ms",
    floor: { what: "SDK echo tool", value: quantile(times[1], share) },
    ...(target && { target }),
  });
  const memory = await residentMegabytes(server.pid);
  const floor = await residentMegabytes(echo.pid);
  const plain = await plainPyodide();
  const lines = await time(() => server.call("run_python", "for i in range(200_000): print(i)"));
  const { result } = await server.request("tools/list", {});
  return [
    row("p50", 0.5, { times: 6, most: 5 }),
    row("p99", 0.99),
    {
      what: "200,000 printed lines",
      ours: lines,
      unit: "ms",
      floor: { what: "plain Pyodide, output dropped", value: plain.printMs },
    },
    {
      what: "idle memory, host",
      ours: memory.own,
      unit: "MB",
      floor: { what: "bare SDK server", value: floor.own },
    },
    {
      what: "idle memory, child",
      ours: memory.children,
      unit: "MB",
      floor: { what: "plain Pyodide", value: plain.megabytes },
    },
    {
      what: "tools/list",
      ours: countTokens(JSON.stringify(result)),
      unit: "tokens",
      target: { most: 350 },
    },
  ];
}

const rows = [
  ...await startRows(),
  ...await warmRows(),
  ...await callRows(),
  ...await containerRows(),
];
Deno.stdout.writeSync(new TextEncoder().encode(`${formatTable(rows)}\n`));
Deno.exit(rows.every(isWithinTarget) ? 0 : 1);
