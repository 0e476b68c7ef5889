/**
 * What a sandbox may use. One type for every engine; each engine maps it by a pure function and says
 * per limit whether it can hold it.
 */

/** Limits of one sandbox. Network and host files are not here: no sandbox has any. */
export interface SandboxPolicy {
  /** Memory of the interpreter, in bytes. */
  memoryBytes: number;
  /** Most processes and threads. */
  pids: number;
  /** Most CPUs; absent means no limit. */
  cpus?: number;
  /** `uid:gid` the interpreter runs as. */
  user: string;
  /** Size of `/tmp`, in bytes. */
  tmpBytes: number;
  /** Size of `/workspace`, in bytes. */
  workspaceBytes: number;
}

/** Whether an engine holds a limit. */
export type Enforcement = "enforced" | "not applicable" | "not enforceable here";

/** One answer per limit of {@link SandboxPolicy}, and one for the list of system calls, which is always the same. */
export type LimitReport = Readonly<Record<keyof SandboxPolicy | "systemCalls", Enforcement>>;

/** The limits of a policy that nothing holds, by the names people know. */
export function unenforcedLimits(limits: LimitReport, policy: SandboxPolicy): string[] {
  const asked = { systemCalls: true, ...policy };
  return (Object.keys(limits) as Array<keyof LimitReport>)
    .filter((limit) => limits[limit] === "not enforceable here" && asked[limit] !== undefined)
    .map((limit) => limit.replace(/Bytes$/, ""));
}

const MIB = 1024 * 1024;

/** The policy when the operator sets nothing. */
export const DEFAULT_POLICY: SandboxPolicy = {
  memoryBytes: 512 * MIB,
  pids: 128,
  user: "65534:65534",
  tmpBytes: 64 * MIB,
  workspaceBytes: 128 * MIB,
};
