/**
 * What a container CLI says of itself, read into one report. Pure: `detect_cli.ts` asks, this file
 * understands. `auto`, error messages and `doctor` all read the same report.
 */
import type { LimitReport } from "../policy.ts";
import type { CliResult } from "./container_cli.ts";
import type { ContainerKind } from "./container_args.ts";
import { PROFILE_ARCHITECTURES } from "./seccomp_profile.ts";

/** What is known of one container CLI on this machine. */
export interface EngineReport {
  /** Name or path it is started by. */
  command: string;
  /** What it really is; absent when it did not answer. */
  kind?: ContainerKind;
  /** Whether it answered and can run Linux containers. */
  usable: boolean;
  /** Why it is not usable, as a sentence part. */
  reason?: string;
  /** What to do about it. */
  hint?: string;
  /** Version of the engine behind the CLI. */
  version: string;
  rootless: boolean;
  /** 1 or 2; 0 when unknown. */
  cgroupVersion: number;
  /** Which limits it can hold. */
  limits: LimitReport;
  /** Whether it runs containers on another machine or in a VM with files of its own. */
  remote: boolean;
  /** Whether containers share our kernel, so that a boot id of ours says something of theirs. */
  sameKernel: boolean;
  /** Whether mounts need an SELinux label. */
  selinux: boolean;
  /** Whether a podman machine would have to be started first. */
  needsMachine: boolean;
  image: string;
  imagePresent: boolean;
}

/** Facts about our side that decide how an answer is read. */
export interface ReportContext {
  command: string;
  image: string;
  imagePresent: boolean;
  /** `Deno.build.os`. */
  os: string;
  /** Where docker is told to look, from `DOCKER_HOST` or the context; empty when unknown. */
  dockerHost: string;
}

const NO_LIMITS: LimitReport = {
  memoryBytes: "not enforceable here",
  pids: "not enforceable here",
  cpus: "not enforceable here",
  user: "enforced",
  tmpBytes: "enforced",
  workspaceBytes: "enforced",
  systemCalls: "not enforceable here",
};

/** Reads the answer to `info --format '{{json .}}'`. */
export function parseInfo(result: CliResult, context: ReportContext): EngineReport {
  if (result.end !== "exit" || result.code !== 0) return unusable(result, context);
  const info = parseObject(result.stdout);
  if (isObject(info?.host)) return fromPodman(info, info.host, context);
  if (typeof info?.ServerVersion === "string") return fromDocker(info, context);
  const errors = Array.isArray(info?.ServerErrors) ? info.ServerErrors.join("; ") : "";
  return unusable({ ...result, code: 1, stderr: errors || result.stderr }, context);
}

function fromPodman(
  info: Record<string, unknown>,
  host: Record<string, unknown>,
  context: ReportContext,
): EngineReport {
  const security = isObject(host.security) ? host.security : {};
  const version = isObject(info.version) ? info.version.Version : undefined;
  const rootless = security.rootless === true;
  const cgroupVersion = host.cgroupVersion === "v2" ? 2 : host.cgroupVersion === "v1" ? 1 : 0;
  const controllers = Array.isArray(host.cgroupControllers) ? host.cgroupControllers : [];
  // cgroup v1 cannot be handed to a user: podman prints a warning there and sets no limit.
  const holds = (name: string) => !(rootless && cgroupVersion === 1) && controllers.includes(name);
  const remote = host.serviceIsRemote === true;
  return {
    ...base(context),
    kind: "podman",
    usable: true,
    version: typeof version === "string" ? version : "",
    rootless,
    cgroupVersion,
    limits: toLimits({
      memoryBytes: holds("memory"),
      pids: holds("pids"),
      cpus: holds("cpu"),
      // A podman elsewhere looks for the file there.
      systemCalls: security.seccompEnabled === true && !remote && isListed(host.arch),
    }),
    remote,
    sameKernel: !remote && context.os === "linux",
    selinux: security.selinuxEnabled === true,
  };
}

function fromDocker(info: Record<string, unknown>, context: ReportContext): EngineReport {
  const options = Array.isArray(info.SecurityOptions) ? info.SecurityOptions.map(String) : [];
  const has = (name: string) =>
    options.some((option) => option.split(",").includes(`name=${name}`));
  const remote = isRemoteHost(context.dockerHost);
  const desktop = info.OperatingSystem === "Docker Desktop";
  const report: EngineReport = {
    ...base(context),
    kind: "docker",
    usable: true,
    version: String(info.ServerVersion),
    rootless: has("rootless"),
    cgroupVersion: Number(info.CgroupVersion) || 0,
    limits: toLimits({
      memoryBytes: info.MemoryLimit === true,
      pids: info.PidsLimit === true,
      cpus: info.CpuCfsQuota === true,
      systemCalls: has("seccomp") && isListed(info.Architecture),
    }),
    remote,
    sameKernel: !remote && !desktop && context.os === "linux",
    selinux: has("selinux"),
  };
  if (info.OSType !== "windows") return report;
  return {
    ...report,
    usable: false,
    reason: "it runs Windows containers",
    hint: "Switch Docker Desktop to Linux containers",
  };
}

/** Whether a docker endpoint is on another machine: anything but a local socket or pipe. */
export function isRemoteHost(endpoint: string): boolean {
  return endpoint !== "" && !/^(unix|npipe|fd):/.test(endpoint);
}

function unusable(result: CliResult, context: ReportContext): EngineReport {
  const report = base(context);
  const wasm = "or start with --engine wasm";
  const name = context.command;
  switch (result.end) {
    case "missing":
      return { ...report, reason: "it is not on PATH", hint: `Install ${name}, ${wasm}` };
    case "denied":
      return {
        ...report,
        reason: "it may not be run",
        hint: `Allow it with --allow-run=${name}, ${wasm}`,
      };
    case "timeout":
      return {
        ...report,
        reason: "it does not answer",
        hint: `See what "${name} info" says, ${wasm}`,
      };
    case "aborted":
      return { ...report, reason: "the question was cancelled" };
    default:
      return { ...report, ...explainFailure(result, context) };
  }
}

function explainFailure(result: CliResult, context: ReportContext): Partial<EngineReport> {
  const reason = lastLine(result.stderr) || `"${context.command} info" ended with ${result.code}`;
  const overMachine = context.os === "darwin" || context.os === "windows";
  if (/podman machine|podman socket|cannot connect to podman/i.test(result.stderr) && overMachine) {
    return {
      reason,
      needsMachine: true,
      hint: 'Run "podman machine start", or "podman machine init" first',
    };
  }
  if (/docker daemon|docker_engine|docker\.sock/i.test(result.stderr)) {
    return { reason, hint: "Start Docker, or start with --engine wasm" };
  }
  return { reason, hint: `See what "${context.command} info" says, or start with --engine wasm` };
}

function base(context: ReportContext): EngineReport {
  return {
    command: context.command,
    usable: false,
    version: "",
    rootless: false,
    cgroupVersion: 0,
    limits: NO_LIMITS,
    remote: false,
    sameKernel: false,
    selinux: false,
    needsMachine: false,
    image: context.image,
    imagePresent: context.imagePresent,
  };
}

type HeldLimits = Record<"memoryBytes" | "pids" | "cpus" | "systemCalls", boolean>;

function toLimits(held: HeldLimits): LimitReport {
  const say = (is: boolean) => is ? "enforced" : "not enforceable here";
  return {
    ...NO_LIMITS,
    memoryBytes: say(held.memoryBytes),
    pids: say(held.pids),
    cpus: say(held.cpus),
    systemCalls: say(held.systemCalls),
  };
}

function isListed(architecture: unknown): boolean {
  return typeof architecture === "string" && PROFILE_ARCHITECTURES.has(architecture);
}

/** The last line that says something, without what a CLI puts before it. */
export function lastLine(text: string): string {
  const line = text.trim().split("\n").findLast((line) => line.trim() !== "") ?? "";
  return line.trim().replace(/^(Error|ERROR|error):\s*/, "").slice(0, 500);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
