/**
 * Ends servers that outlive us, however we ended: a small process of its own holds one end of a pipe and
 * their process groups, and acts when the other end, ours, is gone. It costs the first server a shell, and
 * runs as long as there are servers.
 *
 * LIMITATION: not on Windows, and a program that left its group on purpose is not found.
 */

import { settledWithin } from "../../shared/deadline.ts";

/** How long the watch may take to end when there is nothing left to watch. */
const END_MS = 500;

/** In the order of `server_process.ts`: time to end by itself, SIGTERM, time, SIGKILL. No more than POSIX. */
const SCRIPT = `
trap '' HUP INT TERM
groups=" $* "
while read -r what group; do
  case $group in ''|0*|1|*[!0-9]*) continue ;; esac
  case $what in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
left() { for group in $groups; do kill -s 0 -- -$group && return 0; done; return 1; }
wait_for() { n=$1; while left && [ $n -gt 0 ]; do sleep 0.1 || sleep 1; n=$((n - 1)); done; }
wait_for 5
for group in $groups; do kill -s TERM -- -$group; done
wait_for 15
for group in $groups; do kill -s KILL -- -$group; done
`;

interface Watcher {
  child: Deno.ChildProcess;
  stdin: WritableStreamDefaultWriter<Uint8Array>;
}

/** Watches over process groups of this process. */
export class OrphanWatch {
  readonly #groups = new Set<number>();
  readonly #encoder = new TextEncoder();
  #watcher: Watcher | undefined;

  /**
   * Has a group ended when we are gone.
   *
   * @throws {RangeError} for what is no group of a server: to the system, 0 is our own and 1 everybody.
   */
  add(group: number): void {
    if (!Number.isInteger(group) || group <= 1) throw new RangeError(`No process group: ${group}`);
    this.#groups.add(group);
    if (this.#watcher !== undefined) return this.#tell(`+ ${group}`);
    const watcher = this.#watcher = start([...this.#groups]);
    void watcher?.child.status.then(() => {
      if (this.#watcher === watcher) this.#watcher = undefined;
    });
  }

  /** A group has ended, and its number may be another's soon; resolves when nothing is left of the watch for it. */
  async remove(group: number): Promise<void> {
    if (!this.#groups.delete(group)) return;
    this.#tell(`- ${group}`);
    const watcher = this.#watcher;
    if (this.#groups.size > 0 || watcher === undefined) return;
    this.#watcher = undefined;
    await watcher.stdin.close().catch(() => {});
    await settledWithin(watcher.child.status, END_MS);
  }

  #tell(line: string): void {
    // One that was ended from outside is missed by the next server, and started again.
    this.#watcher?.stdin.write(this.#encoder.encode(`${line}\n`)).catch(() => {});
  }
}

/** Undefined where there is no shell, or none may be started: servers run without it. */
function start(groups: readonly number[]): Watcher | undefined {
  if (Deno.build.os === "windows") return undefined;
  try {
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", SCRIPT, "sh", ...groups.map(String)],
      env: { PATH: "/usr/bin:/bin" },
      clearEnv: true,
      cwd: "/",
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      // What ends our group must not end the watch.
      detached: true,
    }).spawn();
    const stdin = child.stdin.getWriter();
    stdin.closed.catch(() => {});
    return { child, stdin };
  } catch {
    return undefined;
  }
}
