import { assertEquals, assertThrows } from "@std/assert";
import {
  type ContainerArgsOptions,
  isMountable,
  toContainerArgs,
} from "../../../../src/engine/container/container_args.ts";
import type { SandboxPolicy } from "../../../../src/engine/policy.ts";
import { AppError } from "../../../../src/shared/errors.ts";

const POLICY: SandboxPolicy = {
  memoryBytes: 536_870_912,
  pids: 128,
  user: "65534:65534",
  tmpBytes: 67_108_864,
  workspaceBytes: 134_217_728,
};

const OPTIONS: ContainerArgsOptions = {
  kind: "docker",
  name: "mcp-sandbox-0123456789ab",
  image: "python:3.14-slim",
  owner: { pid: 42, start: "1234", boot: "b007", pidns: "7" },
  delivery: { by: "mount", folder: "/tmp/mcp-bridge-ipc-x", selinux: false },
  seccompProfile: "/tmp/mcp-bridge-ipc-x/seccomp.json",
};

const HEAD = [
  "run --rm --name mcp-sandbox-0123456789ab --interactive --init --pull never --log-driver none",
  "--network none --read-only --pids-limit 128 --memory 512m --memory-swap 512m",
  "--tmpfs /tmp:rw,noexec,nosuid,nodev,size=64m",
];

const ENVIRONMENT = [
  "--workdir /workspace",
  "--env HOME=/workspace --env PYTHONUNBUFFERED=1 --env PYTHONIOENCODING=utf-8",
  "--env PYTHONDONTWRITEBYTECODE=1 --env MPLCONFIGDIR=/tmp/matplotlib",
];

const TAIL = [
  "--security-opt no-new-privileges --security-opt seccomp=/tmp/mcp-bridge-ipc-x/seccomp.json",
  "--cap-drop ALL --user 65534:65534",
  "--label mcp-bridge.pid=42 --label mcp-bridge.start=1234 --label mcp-bridge.boot=b007",
  "--label mcp-bridge.pidns=7",
];

function words(...lines: string[]): string[] {
  return lines.join(" ").split(" ");
}

Deno.test("toContainerArgs() pins the whole line for podman", () => {
  assertEquals(
    toContainerArgs(POLICY, { ...OPTIONS, kind: "podman" }),
    words(
      ...HEAD,
      "--tmpfs /workspace:rw,noexec,nosuid,nodev,size=128m",
      ...ENVIRONMENT,
      "--http-proxy=false --no-hosts --tmpfs /run:ro,noexec,nosuid,nodev,size=4k",
      "--tmpfs /var/tmp:ro,noexec,nosuid,nodev,size=4k",
      ...TAIL,
      "--volume /tmp/mcp-bridge-ipc-x:/ipc:ro --volume /tmp/mcp-bridge-ipc-x/hosts:/etc/hosts:ro",
      "--entrypoint= python:3.14-slim python3 -u /ipc/entrypoint.py",
    ),
  );
});

Deno.test("toContainerArgs() pins the whole line for docker", () => {
  assertEquals(
    toContainerArgs(POLICY, OPTIONS),
    words(
      ...HEAD,
      "--tmpfs /workspace:rw,noexec,nosuid,nodev,size=128m,mode=1777,uid=65534,gid=65534",
      ...ENVIRONMENT,
      "--dns=127.0.0.1 --dns-search=.",
      "--env HTTP_PROXY= --env http_proxy= --env HTTPS_PROXY= --env https_proxy=",
      "--env FTP_PROXY= --env ftp_proxy= --env NO_PROXY= --env no_proxy=",
      "--env ALL_PROXY= --env all_proxy=",
      ...TAIL,
      "--volume /tmp/mcp-bridge-ipc-x:/ipc:ro",
      "--entrypoint= python:3.14-slim python3 -u /ipc/entrypoint.py",
    ),
  );
});

Deno.test("toContainerArgs() labels the mounts privately on SELinux hosts", () => {
  const delivery = { by: "mount", folder: "/tmp/x", selinux: true } as const;
  const args = toContainerArgs(POLICY, { ...OPTIONS, kind: "podman", delivery });
  assertEquals(args.filter((arg) => arg.startsWith("/tmp/x")), [
    "/tmp/x:/ipc:ro,Z",
    "/tmp/x/hosts:/etc/hosts:ro,Z",
  ]);
});

Deno.test("toContainerArgs() mounts nothing of the host when the runtime comes over stdin", () => {
  const delivery = { by: "stdin", loader: "print(1)" } as const;
  for (const kind of ["podman", "docker"] as const) {
    const args = toContainerArgs(POLICY, { ...OPTIONS, kind, delivery });
    assertEquals(args.includes("--volume"), false);
    assertEquals(args.includes("/ipc:rw,noexec,nosuid,nodev,size=4m"), true);
    assertEquals(args.slice(-5), ["python:3.14-slim", "python3", "-u", "-c", "print(1)"]);
  }
});

Deno.test("toContainerArgs() leaves the CLI its own system calls where it cannot use ours", () => {
  const args = toContainerArgs(POLICY, { ...OPTIONS, seccompProfile: undefined });
  assertEquals(args.filter((arg) => arg.includes("seccomp")), []);
});

Deno.test("toContainerArgs() follows every limit of the policy", () => {
  const args = toContainerArgs({
    memoryBytes: 268_435_456,
    pids: 7,
    cpus: 1.5,
    user: "1000",
    tmpBytes: 1024,
    workspaceBytes: 1000,
  }, OPTIONS).join(" ");
  for (
    const flag of [
      "--memory 256m --memory-swap 256m",
      "--pids-limit 7",
      "--cpus 1.5",
      "--user 1000 ",
      "/tmp:rw,noexec,nosuid,nodev,size=1k",
      "/workspace:rw,noexec,nosuid,nodev,size=1000",
    ]
  ) assertEquals(args.includes(flag), true, flag);
});

Deno.test("toContainerArgs() refuses values that a CLI would read otherwise", () => {
  const bad: [string, Partial<SandboxPolicy>, Partial<ContainerArgsOptions>][] = [
    ["MCP_BRIDGE_IMAGE", {}, { image: "--privileged" }],
    ["MCP_BRIDGE_IMAGE", {}, { image: "" }],
    ["MCP_BRIDGE_IMAGE", {}, { image: "python 3" }],
    ["MCP_BRIDGE_MEMORY", { memoryBytes: 0 }, {}],
    ["MCP_BRIDGE_MEMORY", { memoryBytes: -1 }, {}],
    ["MCP_BRIDGE_MEMORY", { memoryBytes: NaN }, {}],
    ["MCP_BRIDGE_PIDS", { pids: 0 }, {}],
    ["MCP_BRIDGE_PIDS", { pids: -1 }, {}],
    ["MCP_BRIDGE_PIDS", { pids: 1.5 }, {}],
    ["MCP_BRIDGE_CPUS", { cpus: 0 }, {}],
    ["MCP_BRIDGE_CPUS", { cpus: Infinity }, {}],
    ["MCP_BRIDGE_CONTAINER_USER", { user: "--privileged" }, {}],
    ["MCP_BRIDGE_CONTAINER_USER", { user: "" }, {}],
    ["MCP_BRIDGE_CONTAINER_USER", { user: "1:2:3" }, {}],
    ["/tmp", { tmpBytes: 0 }, {}],
    ["/workspace", { workspaceBytes: -5 }, {}],
  ];
  for (const [name, policy, options] of bad) {
    assertThrows(
      () => toContainerArgs({ ...POLICY, ...policy }, { ...OPTIONS, ...options }),
      AppError,
      name,
    );
  }
});

Deno.test("isMountable() knows what --volume would cut apart", () => {
  assertEquals(isMountable("/tmp/a", "linux"), true);
  assertEquals(isMountable("/tmp/a:b", "linux"), false);
  assertEquals(isMountable("/tmp/a,b", "linux"), false);
  assertEquals(isMountable("C:\\Temp", "windows"), true);
});
