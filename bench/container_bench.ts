/**
 * Cold start and warm calls of the container engine, beside a bare `run … python3 -c pass` with the same
 * flags in the same run. Rows for each container CLI that has a test image; none where there is no CLI.
 */
import { toContainerArgs } from "../src/engine/container/container_args.ts";
import { createContainerCli } from "../src/engine/container/container_cli.ts";
import { type IpcFolder, makeIpcFolder } from "../src/engine/container/ipc_folder.ts";
import type { Sandbox } from "../src/engine/engine.ts";
import { DEFAULT_POLICY } from "../src/engine/policy.ts";
import { type ContainerTarget, findContainerTargets } from "../tests/support/container_targets.ts";
import { formatTable, isWithinTarget, quantile, type Row, time } from "./measure.ts";

const STARTS = 15;
const WARM_CALLS = 200;

/** The rows of this machine. */
export async function containerRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const target of await findContainerTargets()) {
    if (target.unavailable !== undefined || target.python !== "3.14") continue;
    rows.push(...await measure(target));
  }
  return rows;
}

async function measure(target: ContainerTarget): Promise<Row[]> {
  await using engine = await target.create({});
  const cold: number[] = [];
  const bare: number[] = [];
  const output: number[] = [];
  for (let at = 0; at < STARTS; at++) {
    bare.push(await startBare(target));
    output.push(await startBareToOutput(target));
    const startedAt = performance.now();
    await using _sandbox = await engine.start(DEFAULT_POLICY);
    cold.push(performance.now() - startedAt);
  }
  await using sandbox = await engine.start(DEFAULT_POLICY);
  const warm: number[] = [];
  for (let at = 0; at < WARM_CALLS; at++) warm.push(await time(() => print(sandbox, `${at}`)));
  return [
    {
      what: `${target.name}: cold start`,
      ours: quantile(cold, 0.5),
      unit: "ms",
      floor: { what: "bare run, python3 -c pass", value: quantile(bare, 0.5) },
      target: { times: 1.3 },
    },
    {
      // The bare run counts its own end as well; this row leaves that out on both sides.
      what: `${target.name}: cold start`,
      ours: quantile(cold, 0.5),
      unit: "ms",
      floor: { what: "bare run to first output", value: quantile(output, 0.5) },
    },
    {
      what: `${target.name}: warm print(1)`,
      ours: quantile(warm, 0.5),
      unit: "ms",
      target: { most: 5 },
    },
  ];
}

/** From the start of the CLI to its end, with our flags and mounts but none of our code. */
async function startBare(target: ContainerTarget): Promise<number> {
  const cli = createContainerCli(target.report.command);
  await using folder = await makeBareFolder(target);
  const args = toBareArgs(target, folder.path, "pass");
  return await time(() => cli.run(args, { timeoutMs: 60_000 }));
}

/** The same to its first output: what no start of ours can be faster than. */
async function startBareToOutput(target: ContainerTarget): Promise<number> {
  const cli = createContainerCli(target.report.command);
  await using folder = await makeBareFolder(target);
  const startedAt = performance.now();
  const process = cli.spawn(toBareArgs(target, folder.path, "print(1)"), folder.path);
  await using _stdin = { [Symbol.asyncDispose]: () => process.stdin.close() };
  let readyMs = 0;
  for await (const _chunk of process.stdout) readyMs ||= performance.now() - startedAt;
  await process.exitCode;
  return readyMs;
}

const OWNER = { pid: Deno.pid, start: "unknown", boot: "unknown", pidns: "" };

function makeBareFolder({ settings }: ContainerTarget): Promise<IpcFolder> {
  return makeIpcFolder(settings.tempDir, {}, OWNER);
}

function toBareArgs({ report, settings }: ContainerTarget, folder: string, code: string): string[] {
  const args = toContainerArgs(DEFAULT_POLICY, {
    kind: report.kind!,
    name: `mcp-sandbox-bench-${crypto.randomUUID().slice(0, 8)}`,
    image: settings.image,
    owner: OWNER,
    delivery: { by: "mount", folder, selinux: report.selinux },
  });
  return [...args.slice(0, -1), "-c", code];
}

function print(sandbox: Sandbox, id: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  sandbox.channel.listen((message) => {
    if (message.type === "execution_done") resolve();
  });
  const call = { type: "execute", id, code: "print(1)", servers: [], discovered: {} } as const;
  sandbox.channel.send({ ...call, servers: [] });
  return promise;
}

if (import.meta.main) {
  const rows = await containerRows();
  // deno-lint-ignore no-console
  console.log(rows.length === 0 ? "No container CLI with a test image" : formatTable(rows));
  if (!rows.every(isWithinTarget)) Deno.exit(1);
}
