/**
 * Removes containers whose bridge is gone. A bridge that is killed leaves its sandboxes to their own
 * end at stdin EOF; the reaper is for those that did not take it. SECURITY: only what is provably
 * dead is touched, so that bridges side by side never harm each other.
 */
import { type ContainerKind, OWNER_LABELS, type OwnerIdentity } from "./container_args.ts";
import type { ContainerCli } from "./container_cli.ts";
import { judgeOwner, type LookUpProcess } from "./owner.ts";
import { toRemoveArgs } from "./remove_container.ts";

const TIMEOUT_MS = 30_000;

/** A container of some bridge. */
export interface OwnedContainer {
  id: string;
  owner: OwnerIdentity;
}

/** What {@link reapContainers} needs. */
export interface ReapOptions {
  kind: ContainerKind;
  /** Whether containers share our kernel (see `EngineReport.sameKernel`). */
  sameKernel: boolean;
  lookUp: LookUpProcess;
  /** Leaves the rest for another time. */
  signal?: AbortSignal;
}

/** Removes the containers of dead bridges and gives their ids; never rejects. */
export async function reapContainers(cli: ContainerCli, options: ReapOptions): Promise<string[]> {
  const { signal } = options;
  const dead: string[] = [];
  for (const { id, owner } of await listOwned(cli, signal)) {
    if (signal?.aborted) break;
    const seen = await options.lookUp(owner.pid);
    if (judgeOwner(owner, seen, options.sameKernel) === "dead") dead.push(id);
  }
  // One by one: podman removes none of several when one of them is gone already.
  for (const id of dead) {
    await cli.run(toRemoveArgs(options.kind, id), { timeoutMs: TIMEOUT_MS, signal });
  }
  return dead;
}

async function listOwned(
  cli: ContainerCli,
  signal: AbortSignal | undefined,
): Promise<OwnedContainer[]> {
  const filter = `label=${OWNER_LABELS.pid}`;
  const ps = await cli.run(["ps", "--all", "--quiet", "--no-trunc", "--filter", filter], {
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  const ids = ps.stdout.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  if (ps.code !== 0 || ids.length === 0) return [];
  const labels = Object.values(OWNER_LABELS)
    .map((label) => `{{json (index .Config.Labels "${label}")}}`).join(",");
  const format = `[{{json .ID}},${labels}]`;
  // One that ends meanwhile makes the exit code non-zero, and the lines of the others still come.
  const inspect = await cli.run(["container", "inspect", "--format", format, ...ids], {
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  return inspect.stdout.split("\n").flatMap((line) => parseOwned(line) ?? []);
}

/** Reads one line of {@link listOwned}; `undefined` for what is not a container of a bridge. */
export function parseOwned(line: string): OwnedContainer | undefined {
  let values: unknown;
  try {
    values = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Array.isArray(values)) return undefined;
  const [id, pid, start, boot, pidns] = values.map((value) => value === null ? "" : String(value));
  if (!id || !pid || !/^\d+$/.test(pid)) return undefined;
  return {
    id,
    owner: { pid: Number(pid), start: start ?? "", boot: boot ?? "", pidns: pidns ?? "" },
  };
}
