/** However a program ends or stays, nothing of it is left when its sandbox is gone, and the next one works. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DEFAULT_POLICY, type SandboxPolicy } from "../../src/engine/policy.ts";
import { containerCase, execute, listOwnContainers } from "../support/container_case.ts";
import { listProcesses, measureGrowth, waitUntilGone } from "../support/processes.ts";

const MIB = 1024 * 1024;

/** A process that stays, as far as it depends on it; the machine's list of processes shows its last word. */
const daemon = (mark: string) =>
  `import os, signal, subprocess, sys
stay = """import os, signal, sys, time
if os.fork(): os._exit(0)
os.setsid()
for s in (1, 2, 3, 15): signal.signal(s, signal.SIG_IGN)
time.sleep(1000)"""
subprocess.run([sys.executable, "-c", stay, "${mark}"])
`;

/** The descriptor of the protocol: the end of a pipe whose other end is not ours. */
const WIRE = `import fcntl, os, stat
pipes = {}
for fd in range(3, 64):
  try: info = os.fstat(fd)
  except OSError: continue
  if stat.S_ISFIFO(info.st_mode): pipes.setdefault(info.st_ino, []).append(fd)
wire, = [fd for (fd, *more) in pipes.values() if not more and fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_WRONLY]
`;

interface End {
  name: string;
  code: (mark: string) => string;
  /** Status and error of the run. */
  end: RegExp;
  policy?: Partial<SandboxPolicy>;
  needs?: keyof SandboxPolicy;
}

const ENDS: End[] = [
  {
    name: "a process in a session of its own goes with the sandbox",
    code: (mark) => `${daemon(mark)}print("left")`,
    end: /^ok/,
  },
  {
    name: "a process of an interpreter that ended goes with it",
    code: (mark) => `${daemon(mark)}os._exit(7)`,
    end: /^crashed the interpreter ended with exit code 7$/,
  },
  {
    name: "a program that kills its supervisor ends its sandbox",
    code: (mark) => `${daemon(mark)}os.kill(os.getppid(), 9)\nimport time; time.sleep(60)`,
    end: /^crashed /,
  },
  {
    name: "a program that ends all processes ends its sandbox",
    code: (mark) => `${daemon(mark)}os.kill(-1, 9)\nimport time; time.sleep(60)`,
    end: /^crashed /,
  },
  {
    name: "a program that closes the protocol ends its sandbox",
    code: (mark) => `${daemon(mark)}os.closerange(3, 64)\nimport time; time.sleep(0.5)`,
    end: /^crashed /,
  },
  {
    name: "a line of the protocol without an end ends its sandbox",
    code: (mark) => `${daemon(mark)}${WIRE}while True: os.write(wire, b"x" * (1 << 20))`,
    end: /^crashed the sandbox broke the protocol: /,
  },
  {
    name: "a fork bomb that goes on goes with the sandbox",
    code: (mark) =>
      `${daemon(mark)}
if os.fork() == 0:
  while True:
    try: os.fork()
    except OSError: pass
print("left")`,
    end: /^ok/,
    policy: { pids: 48 },
    needs: "pids",
  },
];

await containerCase(
  "nothing of a program is left, and the next sandbox works",
  async (...given) => {
    const [target, tempDir, t] = given;
    await using engine = await target.create({ tempDir });
    for (const { name, code, end, policy, needs } of ENDS) {
      const held = needs === undefined || engine.limits[needs] === "enforced";
      const reason = held ? "" : ` (skipped: ${needs} is not enforceable here)`;
      const fn = async () => {
        const mark = `mark-${crypto.randomUUID()}`;
        const marked = async () =>
          (await listProcesses()).filter(({ args }) => args.endsWith(mark));
        const sandbox = await engine.start({ ...DEFAULT_POLICY, ...policy });
        assertEquals((await execute(sandbox, "print(1)")).stdout, "1\n");
        let result = "";
        const growth = await measureGrowth(Deno.pid, async () => {
          const { status, error } = await execute(sandbox, code(mark));
          result = `${status} ${error}`;
        });
        assertMatch(result, end);
        assert(growth < 400 * MIB, `The host grew by ${Math.round(growth / MIB)} MB`);
        const left = await marked();
        if (result.startsWith("ok")) assertEquals(left.length, 1);
        const began = performance.now();
        await sandbox[Symbol.asyncDispose]();
        assert(performance.now() - began < 15_000, "It took long to end");
        assert(await waitUntilGone(left, 5_000) !== undefined, "Processes are left");
        assertEquals(await marked(), []);
        assertEquals(await listOwnContainers(target), []);
        assertEquals((await Array.fromAsync(Deno.readDir(tempDir))).length, 0);
      };
      await t.step({ name: name + reason, ignore: !held, fn });
    }
  },
);
