/**
 * Who owns a container or an `/ipc` folder, and whether that process still lives. A process id alone
 * says nothing, since ids are used again: the start time, the boot and the id namespace belong to it.
 * Whatever cannot be found out counts as alive.
 */
import type { OwnerIdentity } from "./container_args.ts";
import type { CliResult, CliRunOptions, ExtraEnv } from "./container_cli.ts";

/** What the machine says about one process id. */
export interface ProcessSighting {
  boot: string;
  pidns: string;
  /** Start of the process; absent when there is no such process. */
  start?: string;
}

/** Looks a process up; `undefined` when the machine does not tell. */
export type LookUpProcess = (pid: number) => Promise<ProcessSighting | undefined>;

/** Starts a program, in the manner of `runProgram`. */
export type RunProgram = (
  command: string,
  args: readonly string[],
  options: CliRunOptions & { env?: ExtraEnv },
) => Promise<CliResult>;

/** What is known of an owner. */
export type OwnerState = "alive" | "dead" | "unknown";

const UNKNOWN = "unknown";
const TIMEOUT_MS = 5_000;

/**
 * Makes the lookup for one operating system. `/proc` is read by `cat`: with scoped permissions Deno
 * itself may not open it.
 *
 * @param os `Deno.build.os`.
 */
export function createProcessLookup(os: string, run: RunProgram): LookUpProcess {
  // Texts are compared, so neither language nor time zone of the user may change them.
  const options = { timeoutMs: TIMEOUT_MS, env: { LC_ALL: "C", TZ: "UTC" } };
  if (os === "windows") {
    return async (pid) => parseWindows(await run("powershell", toPowershellArgs(pid), options));
  }
  if (os === "darwin") {
    return async (pid) => {
      const [ps, boot] = await Promise.all([
        run("ps", ["-o", "lstart=", "-p", String(pid)], options),
        run("sysctl", ["-n", "kern.bootsessionuuid"], options),
      ]);
      return parseDarwin(ps, boot);
    };
  }
  return async (pid) => {
    const files = ["/proc/sys/kernel/random/boot_id", "/proc/1/stat", `/proc/${pid}/stat`];
    return parseLinux(await run("cat", files, options));
  };
}

/** Our own identity; one that nobody can prove dead when the machine does not tell. */
export async function identifyOwner(pid: number, lookUp: LookUpProcess): Promise<OwnerIdentity> {
  const seen = await lookUp(pid);
  if (seen?.start === undefined) return { pid, start: UNKNOWN, boot: UNKNOWN, pidns: UNKNOWN };
  return { pid, start: seen.start, boot: seen.boot, pidns: seen.pidns };
}

/**
 * Compares an owner with what the machine says about its process id.
 *
 * @param sameKernel Whether the owner can only have been on this machine.
 */
export function judgeOwner(
  owner: OwnerIdentity,
  seen: ProcessSighting | undefined,
  sameKernel: boolean,
): OwnerState {
  if (seen === undefined || !isComplete(owner)) return "unknown";
  if (owner.boot !== seen.boot) {
    // Boots of other systems carry a prefix: they share a docker engine with us by way of a VM.
    const foreign = owner.boot.includes(":") || seen.boot.includes(":");
    return sameKernel && !foreign ? "dead" : "unknown";
  }
  // In another namespace the same number is another process. Absent: there is nothing to compare.
  if (owner.pidns !== "" && owner.pidns !== seen.pidns) return "unknown";
  return seen.start === owner.start ? "alive" : "dead";
}

function isComplete(owner: OwnerIdentity): boolean {
  return Number.isSafeInteger(owner.pid) && owner.pid > 0 &&
    [owner.start, owner.boot].every((value) => value !== "" && value !== UNKNOWN);
}

/** Reads boot id, process 1 and the process asked for, printed by one `cat`. */
export function parseLinux(result: CliResult): ProcessSighting | undefined {
  if (result.end !== "exit") return undefined;
  const [boot = "", first = "", ...rest] = result.stdout.split("\n");
  const pidns = parseStatStart(first);
  // Where process 1 is hidden from us, so may others be: then a missing one proves nothing.
  if (!/^[0-9a-f-]{36}$/.test(boot) || pidns === undefined) return undefined;
  if (result.code === 0) {
    const start = parseStatStart(rest.join("\n"));
    return start === undefined ? undefined : { boot, pidns, start };
  }
  return /No such (file|process)/.test(result.stderr) ? { boot, pidns } : undefined;
}

/** Field 22 of `/proc/<pid>/stat`; the name in field 2 may hold spaces and brackets. */
function parseStatStart(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 1).trim().split(/\s+/);
  const start = fields[19];
  return start !== undefined && /^\d+$/.test(start) ? start : undefined;
}

/** Reads `ps -o lstart=` and the boot session of macOS. */
export function parseDarwin(ps: CliResult, boot: CliResult): ProcessSighting | undefined {
  const session = boot.stdout.trim();
  if (ps.end !== "exit" || boot.code !== 0 || session === "") return undefined;
  const seen = { boot: `darwin:${session}`, pidns: "" };
  const start = ps.stdout.trim().replace(/\s+/g, " ");
  if (ps.code === 0 && start !== "") return { ...seen, start };
  return ps.stderr.trim() === "" ? seen : undefined;
}

/** Reads the ticks of a Windows process's start, which are unlike over boots as well. */
export function parseWindows(result: CliResult): ProcessSighting | undefined {
  if (result.end !== "exit" || result.code !== 0) return undefined;
  const text = result.stdout.trim();
  const seen = { boot: "windows:", pidns: "" };
  if (text === "missing") return seen;
  return /^\d+$/.test(text) ? { ...seen, start: text } : undefined;
}

function toPowershellArgs(pid: number): string[] {
  const script = `$p = Get-Process -Id ${pid} -ErrorAction SilentlyContinue; ` +
    "if ($p) { $p.StartTime.ToUniversalTime().Ticks } else { 'missing' }";
  return ["-NoProfile", "-NonInteractive", "-Command", script];
}
