/** Processes of this machine, as `ps` shows them. */

/** One line of `ps`. */
export interface Process {
  pid: number;
  parent: number;
  args: string;
}

/** Every process that is not a zombie. */
export async function listProcesses(): Promise<Process[]> {
  const { stdout } = await new Deno.Command("ps", {
    args: ["-e", "-o", "pid=,ppid=,stat=,args="],
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout).split("\n").flatMap((line) => {
    const [, pid, parent, stat, args] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || stat!.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), args: args! }];
  });
}

/** Resident memory of a process, in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "rss=", "-p", String(pid)] })
    .output();
  return Number(new TextDecoder().decode(stdout)) * 1024;
}

/** How many descriptors a process has open. Linux alone shows them; elsewhere there are none to compare. */
export async function openFiles(pid: number): Promise<number> {
  if (Deno.build.os !== "linux") return 0;
  return (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length;
}

/** The most a process has grown while `work` went on, in bytes, as far as samples show it. */
export async function measureGrowth(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await residentBytes(pid);
  let most = before;
  let over = false;
  const sampling = (async () => {
    while (!over) most = Math.max(most, await residentBytes(pid));
  })();
  await work().finally(() => over = true);
  await sampling;
  return Math.max(most, await residentBytes(pid)) - before;
}

/** Children of `pid`, their children, and so on. */
export async function listDescendants(pid: number): Promise<Process[]> {
  const all = await listProcesses();
  const found: Process[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

/** Waits until none of `processes` is there; gives the milliseconds it took, or undefined if it took too long. */
export async function waitUntilGone(
  processes: readonly Process[],
  maxMs: number,
): Promise<number | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const alive = await listProcesses();
    // A number can be given to another process: the command line tells them apart.
    const left = processes.filter(({ pid, args }) =>
      alive.some((process) => process.pid === pid && process.args === args)
    );
    const elapsedMs = performance.now() - startedAt;
    if (left.length === 0) return elapsedMs;
    if (elapsedMs > maxMs) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
