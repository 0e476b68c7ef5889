/**
 * Policy → command line of `podman run` and `docker run`. Pure: what a sandbox may do is decided
 * here and nowhere else, and `container_args_test.ts` pins the whole line for both container CLIs.
 */
import { AppError } from "../../shared/errors.ts";
import type { SandboxPolicy } from "../policy.ts";

/** Which container CLI the line is for. */
export type ContainerKind = "podman" | "docker";

/** The process a container belongs to, as its labels say it. */
export interface OwnerIdentity {
  /** Process id of the bridge. */
  pid: number;
  /** When that process started, in a form that never changes while it lives. */
  start: string;
  /** The boot of the machine that `start` belongs to. */
  boot: string;
  /** Tells process id namespaces of one machine apart; empty where there is only one. */
  pidns: string;
}

/** How the runtime gets into the container. */
export type RuntimeDelivery =
  /** A folder of ours, mounted read-only at `/ipc`. */
  | { by: "mount"; folder: string; selinux: boolean }
  /** Sent over stdin to `loader`, which writes it to an in-memory `/ipc`. */
  | { by: "stdin"; loader: string };

/** What {@link toContainerArgs} needs beside the policy. */
export interface ContainerArgsOptions {
  kind: ContainerKind;
  /** Container name, `mcp-sandbox-<12 hex>`. */
  name: string;
  image: string;
  owner: OwnerIdentity;
  delivery: RuntimeDelivery;
  /** File with the list of system calls; absent where the engine cannot use it and has its own. */
  seccompProfile?: string | undefined;
}

/** Labels that say whose a container is. */
export const OWNER_LABELS = {
  pid: "mcp-bridge.pid",
  start: "mcp-bridge.start",
  boot: "mcp-bridge.boot",
  pidns: "mcp-bridge.pidns",
} as const;

/** File in the `/ipc` folder that stands in for the host's `/etc/hosts`. */
export const HOSTS_FILE = "hosts";

const ENVIRONMENT = [
  "HOME=/workspace",
  "PYTHONUNBUFFERED=1",
  "PYTHONIOENCODING=utf-8",
  "PYTHONDONTWRITEBYTECODE=1",
  "MPLCONFIGDIR=/tmp/matplotlib",
];

const PROXY_NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "NO_PROXY", "ALL_PROXY"];

/**
 * What one CLI does by default and the other does not. SECURITY: host data stays outside. Podman
 * hands on the host's proxy variables and `/etc/hosts`, and mounts writable, executable folders
 * beside a read-only root; docker hands on the proxies of its client configuration and the host's
 * name servers.
 */
const EXTRAS: Readonly<Record<ContainerKind, readonly string[]>> = {
  podman: [
    "--http-proxy=false",
    "--no-hosts",
    ...["/run", "/var/tmp"].flatMap((path) => [
      "--tmpfs",
      `${path}:ro,noexec,nosuid,nodev,size=4k`,
    ]),
  ],
  docker: [
    "--dns=127.0.0.1",
    "--dns-search=.",
    ...PROXY_NAMES.flatMap((name) => [name, name.toLowerCase()])
      .flatMap((name) => ["--env", `${name}=`]),
  ],
};

/**
 * The arguments after the CLI's name that start one sandbox.
 *
 * @throws {AppError} if a value could be read as something other than what it stands for.
 */
export function toContainerArgs(policy: SandboxPolicy, options: ContainerArgsOptions): string[] {
  assertPolicy(policy);
  assertImage(options.image);
  const memory = toSize(policy.memoryBytes);
  return [
    "run",
    "--rm",
    ...["--name", options.name],
    "--interactive",
    "--init",
    // The image is fetched beforehand: a pull in here would eat the ready timeout, and `auto` never pulls.
    ...["--pull", "never"],
    // The wire passes through stdout; a log of it would fill the host's disk with the user's data.
    ...["--log-driver", "none"],
    ...["--network", "none"],
    "--read-only",
    ...["--pids-limit", String(policy.pids)],
    ...["--memory", memory],
    ...["--memory-swap", memory],
    ...["--tmpfs", tmpfs("/tmp", policy.tmpBytes)],
    ...["--tmpfs", tmpfs("/workspace", policy.workspaceBytes) + toOwnership(policy, options.kind)],
    ...["--workdir", "/workspace"],
    ...ENVIRONMENT.flatMap((pair) => ["--env", pair]),
    ...EXTRAS[options.kind],
    ...["--security-opt", "no-new-privileges"],
    ...(options.seccompProfile === undefined
      ? []
      : ["--security-opt", `seccomp=${options.seccompProfile}`]),
    ...["--cap-drop", "ALL"],
    ...["--user", policy.user],
    ...(policy.cpus === undefined ? [] : ["--cpus", String(policy.cpus)]),
    ...toLabels(options.owner),
    ...toDelivery(options.kind, options.delivery),
    // An image made for something else may bring an entrypoint, which would take our command as its arguments.
    "--entrypoint=",
    options.image,
    "python3",
    "-u",
    ...(options.delivery.by === "mount" ? ["/ipc/entrypoint.py"] : ["-c", options.delivery.loader]),
  ];
}

/**
 * Whether a folder can be named in `--volume`, where a colon ends the path and a comma an option.
 *
 * @param os `windows` paths begin with a drive and its colon, which the CLIs know.
 */
export function isMountable(folder: string, os: string): boolean {
  const path = os === "windows" ? folder.replace(/^[A-Za-z]:/, "") : folder;
  return !/[:,]/.test(path);
}

function toLabels(owner: OwnerIdentity): string[] {
  return [
    ...["--label", `${OWNER_LABELS.pid}=${owner.pid}`],
    ...["--label", `${OWNER_LABELS.start}=${owner.start}`],
    ...["--label", `${OWNER_LABELS.boot}=${owner.boot}`],
    ...["--label", `${OWNER_LABELS.pidns}=${owner.pidns}`],
  ];
}

function toDelivery(kind: ContainerKind, delivery: RuntimeDelivery): string[] {
  if (delivery.by === "stdin") {
    return ["--tmpfs", "/ipc:rw,noexec,nosuid,nodev,size=4m"];
  }
  // Z: the folder belongs to this one container, so the label can be private to it.
  const mode = delivery.selinux ? "ro,Z" : "ro";
  return [
    ...["--volume", `${delivery.folder}:/ipc:${mode}`],
    // Without the host's own file nothing would say what "localhost" is; docker writes one itself.
    ...(kind === "podman"
      ? ["--volume", `${delivery.folder}/${HOSTS_FILE}:/etc/hosts:${mode}`]
      : []),
  ];
}

function tmpfs(path: string, bytes: number): string {
  return `${path}:rw,noexec,nosuid,nodev,size=${toSize(bytes)}`;
}

/**
 * Docker makes the working folder for root and gives its mode to what is mounted there, whatever `mode`
 * says with an older runc; so the mount has to belong to the user.
 */
function toOwnership({ user }: SandboxPolicy, kind: ContainerKind): string {
  if (kind === "podman") return "";
  const [, uid, gid = "0"] = /^(\d+)(?::(\d+))?$/.exec(user) ?? [];
  return uid === undefined ? ",mode=1777" : `,mode=1777,uid=${uid},gid=${gid}`;
}

/** Bytes in the largest unit that is exact: `512m`, `1536k`, `1000b` → `1000`. */
function toSize(bytes: number): string {
  if (bytes % (1024 * 1024) === 0) return `${bytes / (1024 * 1024)}m`;
  return bytes % 1024 === 0 ? `${bytes / 1024}k` : String(bytes);
}

/** The least memory in which the CLIs start a container at all. */
const MIN_MEMORY_BYTES = 6 * 1024 * 1024;

function assertPolicy(policy: SandboxPolicy): void {
  // Zero and less mean "no limit" to the CLIs, which a policy never means.
  assertInteger("MCP_BRIDGE_MEMORY", policy.memoryBytes, MIN_MEMORY_BYTES, "at least 6m");
  assertInteger("MCP_BRIDGE_PIDS", policy.pids, 1, "a whole number of at least 1");
  assertInteger("the size of /tmp", policy.tmpBytes, 1, "at least one byte");
  assertInteger("the size of /workspace", policy.workspaceBytes, 1, "at least one byte");
  if (policy.cpus !== undefined && !(Number.isFinite(policy.cpus) && policy.cpus > 0)) {
    throw badValue("MCP_BRIDGE_CPUS", policy.cpus, "a number above 0");
  }
  if (!/^[A-Za-z0-9_][\w.-]*(:[A-Za-z0-9_][\w.-]*)?$/.test(policy.user)) {
    throw badValue("MCP_BRIDGE_CONTAINER_USER", policy.user, '"uid:gid"');
  }
}

function assertInteger(name: string, value: number, least: number, expected: string): void {
  if (!Number.isSafeInteger(value) || value < least) throw badValue(name, value, expected);
}

/**
 * Refuses an image name that is not one.
 *
 * @throws {AppError} if the name could be taken for a flag, or holds what no reference holds.
 */
export function assertImage(image: string): void {
  if (!/^[A-Za-z0-9][\w.\-/:@]*$/.test(image)) {
    throw badValue("MCP_BRIDGE_IMAGE", image, 'an image such as "python:3.14-slim"');
  }
}

function badValue(name: string, value: unknown, expected: string): AppError {
  return new AppError(`Cannot use ${name}=${JSON.stringify(value)}: expected ${expected}`, {
    hint: "Correct the setting; no sandbox starts with a partly applied policy",
  });
}
