/**
 * What a program meets inside a container. Each boundary has two tests: it holds, and it would not hold
 * without its flag (so that the first one is known to see it).
 */
import { assertEquals, assertNotEquals } from "@std/assert";
import { DEFAULT_POLICY, type SandboxPolicy } from "../../src/engine/policy.ts";
import { containerCase, createAltered, execute } from "../support/container_case.ts";

interface Boundary {
  name: string;
  /** Prints one line. */
  code: string;
  /** What it prints inside; where a program is to be stopped, the reason of the end. */
  inside: string;
  policy?: Partial<SandboxPolicy>;
  needs?: keyof SandboxPolicy;
  /** Takes the boundary away. */
  weaken: (args: string[]) => string[];
  env?: Record<string, string>;
}

const MIB = 1024 * 1024;

/** Replaces the value of each such flag; `undefined` takes flag and value away. */
function change(flag: string, by: (value: string) => string | undefined) {
  return (args: string[]) => {
    const result: string[] = [];
    for (let index = 0; index < args.length; index++) {
      const arg = args[index]!;
      if (arg !== flag) {
        result.push(arg);
        continue;
      }
      const value = by(args[++index]!);
      if (value !== undefined) result.push(flag, value);
    }
    return result;
  };
}

const drop = (flag: string) => change(flag, () => undefined);
const STATUS = 'dict(l.split(":\\t",1) for l in open("/proc/self/status") if ":\\t" in l)';

function execIn(folder: string): string {
  return `import os, subprocess
path = "${folder}/program"
with open(path, "w") as f: f.write("#!/bin/sh\\nexit 0\\n")
os.chmod(path, 0o755)
try: print(subprocess.run([path]).returncode)
except OSError as e: print(type(e).__name__)`;
}

function fill(folder: string, megabytes: number): string {
  return `try:
  with open("${folder}/big", "wb") as f:
    for _ in range(${megabytes}): f.write(bytes(1 << 20))
  print("written")
except OSError as e: print(e.strerror)`;
}

const BOUNDARIES: Boundary[] = [
  {
    name: "a program is nobody",
    code: "import os; print(os.getuid(), os.getgid(), os.getgroups())",
    inside: "65534 65534 [65534]",
    weaken: drop("--user"),
  },
  {
    name: "a program has no capabilities and cannot get any",
    code:
      `s = ${STATUS}; print(*(s["Cap" + k].strip() for k in ("Inh", "Prm", "Eff", "Bnd", "Amb")))`,
    inside: Array(5).fill("0000000000000000").join(" "),
    weaken: drop("--cap-drop"),
  },
  {
    name: "a program cannot gain privileges",
    code: `print(${STATUS}["NoNewPrivs"].strip())`,
    inside: "1",
    weaken: drop("--security-opt"),
  },
  {
    name: "the root is read-only",
    code: `import errno
for path in ("/x", "/etc/x", "/usr/x", "/run/x", "/var/tmp/x"):
  try: open(path, "w"); print("written")
  except OSError as e: print(errno.errorcode[e.errno], end=" ")
print()`,
    inside: "EROFS EROFS EROFS EROFS EROFS ",
    weaken: (args) => args.filter((arg) => arg !== "--read-only"),
  },
  {
    name: "there is no network",
    code: "import socket; print([name for _, name in socket.if_nameindex() if name != 'sit0'])",
    inside: "['lo']",
    weaken: change("--network", () => "host"),
  },
  {
    name: "nothing in /tmp can be executed",
    code: execIn("/tmp"),
    inside: "PermissionError",
    weaken: change("--tmpfs", (value) => value.replace("noexec", "exec")),
  },
  {
    name: "nothing in /workspace can be executed",
    code: execIn("/workspace"),
    inside: "PermissionError",
    weaken: change("--tmpfs", (value) => value.replace("noexec", "exec")),
  },
  {
    name: "/tmp is full at its limit",
    code: fill("/tmp", 10),
    inside: "No space left on device",
    policy: { tmpBytes: 8 * MIB },
    weaken: change("--tmpfs", (value) => value.replace(/,size=\w+/, ",size=100m")),
  },
  {
    name: "/workspace is full at its limit",
    code: fill("/workspace", 10),
    inside: "No space left on device",
    policy: { workspaceBytes: 8 * MIB },
    weaken: change("--tmpfs", (value) => value.replace(/,size=\w+/, ",size=100m")),
  },
  {
    name: "a fork bomb stops at the pids limit",
    code: `import os, signal
children = []
try:
  while len(children) < 150:
    pid = os.fork()
    if pid == 0:
      signal.pause()
    children.append(pid)
except OSError as e: print(e.strerror, 64 > len(children) > 32)
else: print("no limit")
for pid in children: os.kill(pid, 9)`,
    inside: "Resource temporarily unavailable True",
    policy: { pids: 64 },
    needs: "pids",
    weaken: change("--pids-limit", () => "1000"),
  },
  {
    name: "a memory bomb stops at the memory limit",
    code: "b = bytearray(b'x') * (400 << 20); print(len(b))",
    inside: "memory limit of 128 MB exceeded",
    policy: { memoryBytes: 128 * MIB },
    needs: "memoryBytes",
    weaken: (args) => drop("--memory-swap")(drop("--memory")(args)),
  },
  {
    name: "a program that asks for half a CPU's time gets no more",
    code: `def read(path):
  try: return open(path).read().split()
  except OSError: return []
v2 = read("/sys/fs/cgroup/cpu.max")
v1 = read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") + read("/sys/fs/cgroup/cpu/cpu.cfs_period_us")
quota, period = v2 or v1 or ("none", "1")
print(int(quota) / int(period) if quota.isdigit() else "no limit")`,
    inside: "0.5",
    policy: { cpus: 0.5 },
    needs: "cpus",
    weaken: drop("--cpus"),
  },
];

for (const boundary of BOUNDARIES) {
  const policy = { ...DEFAULT_POLICY, ...boundary.policy };
  const needs = boundary.needs === undefined ? {} : { needs: boundary.needs };
  const look = async (engine: Awaited<ReturnType<typeof createAltered>>) => {
    await using _engine = engine;
    await using sandbox = await engine.start(policy);
    const { status, stdout, error } = await execute(sandbox, boundary.code);
    return status === "memory" ? error : stdout.replace(/\n$/, "") || error;
  };

  await containerCase(boundary.name, async (target, tempDir) => {
    const engine = await createAltered(target, tempDir, (args) => args);
    assertEquals(await look(engine), boundary.inside);
    const again = await createAltered(target, tempDir, (args) => args);
    await using _engine = again;
    await using sandbox = await again.start(policy);
    assertEquals((await execute(sandbox, "print(1)")).stdout, "1\n");
  }, needs);

  await containerCase(`${boundary.name}, and not without its flag`, async (target, tempDir) => {
    assertNotEquals(
      await look(await createAltered(target, tempDir, boundary.weaken)),
      boundary.inside,
    );
  }, needs);
}

await containerCase("a program sees nothing of the host's environment", async (target, tempDir) => {
  const env = {
    http_proxy: "http://user:secret@proxy",
    HTTPS_PROXY: "http://user:secret@proxy",
    MCP_BRIDGE_TEST_SECRET: "secret",
  };
  await using engine = await createAltered(target, tempDir, (args) => args, { env });
  await using sandbox = await engine.start(DEFAULT_POLICY);
  const { stdout } = await execute(sandbox, "import os; print(sorted(os.environ.items()))");
  assertEquals(stdout.includes("secret"), false);
  const names = 'print(open("/etc/hosts").read(), open("/etc/resolv.conf").read())';
  const hosts = (await execute(sandbox, names)).stdout;
  assertEquals(hosts.includes(Deno.hostname()), false);
});

await containerCase("a program cannot change the runtime of others", async (target, tempDir) => {
  await using engine = await createAltered(target, tempDir, (args) => args);
  await using sandbox = await engine.start(DEFAULT_POLICY);
  const code = `import os
print(bool(os.statvfs("/ipc").f_flag & os.ST_RDONLY), os.access("/ipc/entrypoint.py", os.W_OK))`;
  assertEquals((await execute(sandbox, code)).stdout, "True False\n");
});
