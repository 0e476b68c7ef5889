/**
 * Makes a container go away and knows when it has. Shared by the end of a sandbox, an aborted start
 * and the reaper.
 */
import type { ContainerKind } from "./container_args.ts";
import type { ContainerCli } from "./container_cli.ts";

const COMMAND_TIMEOUT_MS = 15_000;
const RETRY_MS = 50;
const AFTER_REMOVAL_MS = 1_000;
const GIVE_UP_MS = 60_000;

/** Arguments that kill and remove a container without a grace period. */
export function toRemoveArgs(kind: ContainerKind, name: string): string[] {
  // Podman would wait ten seconds for a program that ignores SIGTERM; docker kills at once.
  const now = kind === "podman" ? ["--time", "0"] : [];
  return ["rm", "--force", "--volumes", ...now, name];
}

/** Whether a container of that name is there, in any state; `undefined` when the CLI did not say. */
async function isContainerThere(
  cli: ContainerCli,
  name: string,
): Promise<boolean | undefined> {
  const args = ["ps", "--all", "--quiet", "--filter", `name=^${name}$`];
  const answer = await cli.run(args, { timeoutMs: COMMAND_TIMEOUT_MS });
  return answer.code === 0 ? answer.stdout.trim() !== "" : undefined;
}

/**
 * Removes a container and resolves once it is gone.
 *
 * @param attached The `run` that may still be about to create it; while that lives, a container that
 * is not there yet proves nothing.
 * @returns Whether it is known to be gone.
 */
export async function removeContainer(
  cli: ContainerCli,
  kind: ContainerKind,
  name: string,
  attached: { readonly exitCode: Promise<number>; kill(): void },
): Promise<boolean> {
  let ended = false;
  const end = attached.exitCode.then(() => {
    ended = true;
  });
  const deadline = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadline) {
    if (ended && await isContainerThere(cli, name) === false) return true;
    const answer = await cli.run(toRemoveArgs(kind, name), { timeoutMs: COMMAND_TIMEOUT_MS });
    // It names what it removed. Nothing removed: the container may be about to be made.
    const removed = answer.stdout.trim() !== "";
    if (!ended) await waitAtMost(end, removed ? AFTER_REMOVAL_MS : RETRY_MS);
  }
  attached.kill();
  return false;
}

async function waitAtMost(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}
