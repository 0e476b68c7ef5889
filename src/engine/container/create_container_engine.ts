/**
 * From settings to a container engine: asks the CLIs, takes the first that fits, refuses what was
 * named and does not. The one entrance for the composition root and for `doctor`.
 */
import {
  assertNotAborted,
  type ContainerCli,
  createContainerCli,
  type ExtraEnv,
  runProgram,
} from "./container_cli.ts";
import { AppError } from "../../shared/errors.ts";
import type { SandboxPolicy } from "../policy.ts";
import { RUNTIME_FILES } from "../../languages/python/runtime_files.ts";
import type { ContainerKind } from "./container_args.ts";
import { ContainerEngine } from "./container_engine.ts";
import { assertUsable, probeCli, toCandidates } from "./detect_cli.ts";
import type { EngineReport } from "./engine_report.ts";
import { createProcessLookup, identifyOwner } from "./owner.ts";
import { PodmanMachine } from "./podman_machine.ts";

/** What the operator wants; values come from the settings. */
export interface ContainerEngineSettings {
  /** `auto` takes the first CLI that answers and has the image, and never pulls or starts anything. */
  engine: ContainerKind | "auto";
  /** `MCP_BRIDGE_RUNTIME`: the one CLI to use, by name or path. */
  runtime?: string | undefined;
  image: string;
  /** Limits that the operator set: one that cannot be held stops the start. */
  explicitLimits: ReadonlySet<keyof SandboxPolicy>;
  /** Folder for `/ipc` folders. */
  tempDir: string;
  /** Value of `DOCKER_HOST`. */
  dockerHost?: string | undefined;
  /** Time after which a podman machine of ours is stopped. */
  machineIdleTimeoutMs: number;
  /** Variables for the CLI beside our own environment. */
  env?: ExtraEnv | undefined;
  /** Told what a slow start is doing. */
  onProgress?: ((message: string) => void) | undefined;
  /** Told what went wrong in the background. */
  onWarning?: ((message: string) => void) | undefined;
  /** Ends all that is asked of CLIs here, and whatever they have started for it. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes the engine the settings ask for; `undefined` when `auto` finds none that fits.
 *
 * @throws {AppError} if the CLI that was named cannot be used, or cannot hold a limit that was set.
 */
export async function createContainerEngine(
  settings: ContainerEngineSettings,
): Promise<ContainerEngine | undefined> {
  const named = settings.engine !== "auto" || Boolean(settings.runtime);
  const commands = toCandidates(settings.engine, settings.runtime);
  const clis = commands.map((command) => createContainerCli(command, settings.env));
  const reports = await Promise.all(clis.map((cli) => probe(cli, settings)));
  assertNotAborted(settings.signal);
  for (const [index, cli] of clis.entries()) {
    const report = reports[index];
    if (report === undefined) continue;
    if (named) return await createNamed(cli, report, settings);
    const fits = report.usable && report.imagePresent &&
      findBrokenLimit(report, settings) === undefined;
    if (fits) return await assemble(cli, report, settings, undefined);
  }
  return undefined;
}

/** What each container CLI in question says of itself, first choice first. */
export function reportContainerEngines(
  settings: Pick<
    ContainerEngineSettings,
    "engine" | "runtime" | "image" | "dockerHost" | "env" | "signal"
  >,
): Promise<EngineReport[]> {
  const commands = toCandidates(settings.engine, settings.runtime);
  return Promise.all(
    commands.map((command) => probe(createContainerCli(command, settings.env), settings)),
  );
}

function probe(
  cli: ContainerCli,
  { image, dockerHost, signal }: Pick<ContainerEngineSettings, "image" | "dockerHost" | "signal">,
): Promise<EngineReport> {
  return probeCli(cli, { image, dockerHost, signal, os: Deno.build.os });
}

async function createNamed(
  cli: ContainerCli,
  first: EngineReport,
  settings: ContainerEngineSettings,
): Promise<ContainerEngine> {
  let report = first;
  const { signal, onProgress } = settings;
  await using held = new AsyncDisposableStack();
  let machine: PodmanMachine | undefined;
  if (report.needsMachine) {
    machine = held.use(
      new PodmanMachine(cli, { idleTimeoutMs: settings.machineIdleTimeoutMs }),
    );
    await machine.ensureRunning({ onProgress, signal });
    report = await probe(cli, settings);
    assertNotAborted(signal);
  }
  assertUsable(report, settings.engine);
  const broken = findBrokenLimit(report, settings);
  if (broken !== undefined) throw toLimitError(report, broken);
  const engine = await assemble(cli, report, settings, machine);
  // The machine is the engine's now.
  held.move();
  return engine;
}

async function assemble(
  cli: ContainerCli,
  report: EngineReport,
  settings: ContainerEngineSettings,
  machine: PodmanMachine | undefined,
): Promise<ContainerEngine> {
  assertUsable(report, settings.engine);
  const lookUp = createProcessLookup(Deno.build.os, runProgram);
  return new ContainerEngine({
    cli,
    report,
    files: RUNTIME_FILES,
    tempDir: settings.tempDir,
    owner: await identifyOwner(Deno.pid, lookUp),
    lookUp,
    machine,
    onWarning: settings.onWarning ?? (() => {}),
  });
}

function findBrokenLimit(
  report: EngineReport,
  { explicitLimits }: ContainerEngineSettings,
): keyof SandboxPolicy | undefined {
  return [...explicitLimits].find((limit) => report.limits[limit] === "not enforceable here");
}

const LIMIT_SETTINGS: Readonly<Partial<Record<keyof SandboxPolicy, string>>> = {
  memoryBytes: "MCP_BRIDGE_MEMORY",
  pids: "MCP_BRIDGE_PIDS",
  cpus: "MCP_BRIDGE_CPUS",
  user: "MCP_BRIDGE_CONTAINER_USER",
};

function toLimitError(report: EngineReport, limit: keyof SandboxPolicy): AppError {
  const name = LIMIT_SETTINGS[limit] ?? limit;
  const how = `${report.rootless ? "rootless " : ""}${report.kind}`;
  const where = report.cgroupVersion === 0 ? how : `${how} with cgroup v${report.cgroupVersion}`;
  return new AppError(`Cannot hold ${name}: ${where} does not enforce it`, {
    hint: `Unset ${name}, use cgroup v2, or choose another MCP_BRIDGE_ENGINE`,
  });
}
