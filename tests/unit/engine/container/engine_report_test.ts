import { assertEquals } from "@std/assert";
import {
  isRemoteHost,
  lastLine,
  parseInfo,
  type ReportContext,
} from "../../../../src/engine/container/engine_report.ts";
import { exited } from "./fake_cli.ts";

const CONTEXT: ReportContext = {
  command: "podman",
  image: "python:3.14-slim",
  imagePresent: true,
  os: "linux",
  dockerHost: "",
};

function podman(host: Record<string, unknown>) {
  return exited(0, JSON.stringify({ host, version: { Version: "5.4.0" } }));
}

const DOCKER = {
  ServerVersion: "28.2.2",
  CgroupVersion: "2",
  OperatingSystem: "Debian GNU/Linux 12",
  OSType: "linux",
  Architecture: "x86_64",
  SecurityOptions: ["name=seccomp,profile=default", "name=cgroupns"],
  MemoryLimit: true,
  PidsLimit: true,
  CpuCfsQuota: true,
};

Deno.test("parseInfo() says that rootless podman with cgroup v1 holds neither memory nor pids", () => {
  const report = parseInfo(
    podman({
      cgroupVersion: "v1",
      cgroupControllers: ["memory", "pids", "cpu"],
      security: { rootless: true, selinuxEnabled: true, seccompEnabled: true },
      arch: "amd64",
      serviceIsRemote: false,
    }),
    CONTEXT,
  );
  assertEquals(report, {
    command: "podman",
    kind: "podman",
    usable: true,
    version: "5.4.0",
    rootless: true,
    cgroupVersion: 1,
    limits: {
      memoryBytes: "not enforceable here",
      pids: "not enforceable here",
      cpus: "not enforceable here",
      user: "enforced",
      tmpBytes: "enforced",
      workspaceBytes: "enforced",
      systemCalls: "enforced",
    },
    remote: false,
    sameKernel: true,
    selinux: true,
    needsMachine: false,
    image: "python:3.14-slim",
    imagePresent: true,
  });
});

Deno.test("parseInfo() takes a limit as held only where its controller was handed down", () => {
  const { limits } = parseInfo(
    podman({ cgroupVersion: "v2", cgroupControllers: ["memory"], security: { rootless: true } }),
    CONTEXT,
  );
  assertEquals(limits.memoryBytes, "enforced");
  assertEquals(limits.pids, "not enforceable here");
});

Deno.test("parseInfo() takes the list of system calls as held only where it can be used", () => {
  const read = (info: ReturnType<typeof exited>, more = {}) =>
    parseInfo(info, { ...CONTEXT, ...more }).limits.systemCalls;
  const on = { arch: "arm64", security: { seccompEnabled: true } };
  assertEquals(read(podman(on)), "enforced");
  assertEquals(read(podman({ ...on, arch: "s390x" })), "not enforceable here");
  assertEquals(read(podman({ ...on, security: {} })), "not enforceable here");
  // The file would be looked for on the other machine.
  assertEquals(read(podman({ ...on, serviceIsRemote: true })), "not enforceable here");
  const docker = (info: object) => exited(0, JSON.stringify({ ...DOCKER, ...info }));
  assertEquals(read(docker({})), "enforced");
  // The docker CLI sends it along.
  assertEquals(read(docker({}), { dockerHost: "ssh://user@host" }), "enforced");
  assertEquals(read(docker({ Architecture: "riscv64" })), "not enforceable here");
  assertEquals(read(docker({ SecurityOptions: ["name=cgroupns"] })), "not enforceable here");
});

Deno.test("parseInfo() tells podman from docker by what answers, not by its name", () => {
  const context = { ...CONTEXT, command: "/opt/bin/container" };
  assertEquals(parseInfo(podman({}), context).kind, "podman");
  assertEquals(parseInfo(exited(0, JSON.stringify(DOCKER)), context).kind, "docker");
});

Deno.test("parseInfo() reads rootless, SELinux and limits of docker", () => {
  const report = parseInfo(
    exited(
      0,
      JSON.stringify({
        ...DOCKER,
        SecurityOptions: ["name=rootless", "name=selinux"],
        PidsLimit: false,
      }),
    ),
    CONTEXT,
  );
  assertEquals(
    [report.rootless, report.selinux, report.cgroupVersion, report.limits.memoryBytes],
    [true, true, 2, "enforced"],
  );
  assertEquals(report.limits.pids, "not enforceable here");
});

Deno.test("parseInfo() does not take a VM or another machine for ours", () => {
  const read = (info: object, dockerHost = "") =>
    parseInfo(exited(0, JSON.stringify({ ...DOCKER, ...info })), { ...CONTEXT, dockerHost });
  assertEquals(read({}, "unix:///var/run/docker.sock").remote, false);
  assertEquals(read({}, "ssh://user@host").remote, true);
  assertEquals(read({}, "ssh://user@host").sameKernel, false);
  assertEquals(read({ OperatingSystem: "Docker Desktop" }).sameKernel, false);
  assertEquals(parseInfo(podman({ serviceIsRemote: true }), CONTEXT).remote, true);
});

Deno.test("parseInfo() refuses Windows containers", () => {
  const report = parseInfo(exited(0, JSON.stringify({ ...DOCKER, OSType: "windows" })), CONTEXT);
  assertEquals([report.usable, report.hint], [
    false,
    "Switch Docker Desktop to Linux containers",
  ]);
});

Deno.test("parseInfo() gives a reason and a next step for each way not to answer", () => {
  const missing = parseInfo({ end: "missing", code: -1, stdout: "", stderr: "" }, CONTEXT);
  assertEquals([missing.reason, missing.hint], [
    "it is not on PATH",
    "Install podman, or start with --engine wasm",
  ]);
  const slow = parseInfo({ end: "timeout", code: -1, stdout: "", stderr: "" }, CONTEXT);
  assertEquals(slow.reason, "it does not answer");
  const daemon = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.";
  const down = parseInfo(exited(1, "", daemon), { ...CONTEXT, command: "docker" });
  assertEquals([down.usable, down.reason, down.hint], [
    false,
    daemon,
    "Start Docker, or start with --engine wasm",
  ]);
  const odd = parseInfo(exited(0, "not json"), CONTEXT);
  assertEquals(odd.usable, false);
});

Deno.test("parseInfo() sees docker's own word for a daemon that is down", () => {
  const answer = JSON.stringify({ ServerErrors: ["Cannot connect to the Docker daemon"] });
  const report = parseInfo(exited(0, answer), { ...CONTEXT, command: "docker" });
  assertEquals([report.usable, report.reason], [false, "Cannot connect to the Docker daemon"]);
});

Deno.test("parseInfo() asks for a podman machine only where there are any", () => {
  const answer = exited(
    125,
    "",
    "Cannot connect to Podman. Please verify your connection to the Linux system using `podman system connection list`, or try `podman machine init` and `podman machine start`",
  );
  assertEquals(parseInfo(answer, { ...CONTEXT, os: "darwin" }).needsMachine, true);
  assertEquals(parseInfo(answer, CONTEXT).needsMachine, false);
});

Deno.test("isRemoteHost() takes sockets and pipes as local", () => {
  const local = ["", "unix:///x", "npipe:////./pipe/docker_engine", "fd://"];
  assertEquals(local.map(isRemoteHost), [false, false, false, false]);
  assertEquals(["tcp://1.2.3.4:2375", "ssh://h"].map(isRemoteHost), [true, true]);
});

Deno.test("lastLine() gives the last words without the prefix", () => {
  assertEquals(lastLine("warning: x\nError: no such image\n\n"), "no such image");
  assertEquals(lastLine(""), "");
});
