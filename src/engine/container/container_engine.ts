/**
 * Makes sandboxes with one container CLI. Puts the pieces in order: machine, image, folder, container,
 * ready; and undoes them when one fails. Tidies up after dead bridges once the first start is over.
 */
import { AppError } from "../../shared/errors.ts";
import { assertNotAborted, type CliProcess, type ContainerCli } from "./container_cli.ts";
import type { Engine, Sandbox, StartOptions } from "../engine.ts";
import type { LimitReport, SandboxPolicy } from "../policy.ts";
import {
  type ContainerKind,
  isMountable,
  type OwnerIdentity,
  type RuntimeDelivery,
  toContainerArgs,
} from "./container_args.ts";
import { ContainerSandbox } from "./container_sandbox.ts";
import type { EngineReport } from "./engine_report.ts";
import { classifyTrouble, toStartError } from "./exit_reason.ts";
import { ensureImage } from "./image.ts";
import { type IpcFolder, makeIpcFolder, pruneIpcFolders, type RuntimeFiles } from "./ipc_folder.ts";
import type { LookUpProcess } from "./owner.ts";
import type { PodmanMachine } from "./podman_machine.ts";
import { reapContainers } from "./reaper.ts";
import { LOADER, toLoaderInput, withHead } from "./runtime_loader.ts";
import { PROFILE_FILE, SECCOMP_PROFILE } from "./seccomp_profile.ts";

const READY_TIMEOUT_MS = 30_000;

/** What a {@link ContainerEngine} is made of. */
export interface ContainerEngineParts {
  cli: ContainerCli;
  report: EngineReport & { kind: ContainerKind };
  /** Files for `/ipc`. */
  files: RuntimeFiles;
  /** Folder in which `/ipc` folders are made. */
  tempDir: string;
  owner: OwnerIdentity;
  lookUp: LookUpProcess;
  /** Where podman needs a machine: the one to keep running. */
  machine?: PodmanMachine | undefined;
  /** Told of what went wrong in the background. */
  onWarning: (message: string) => void;
}

/** An {@link Engine} over podman or docker. */
export class ContainerEngine implements Engine, AsyncDisposable {
  readonly name: ContainerKind;
  readonly report: EngineReport;
  readonly #parts: ContainerEngineParts;
  readonly #sandboxes = new Set<ContainerSandbox>();
  #hasImage: boolean;
  #canMount: boolean;
  #limits: LimitReport;
  #tidying: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(parts: ContainerEngineParts) {
    this.#parts = parts;
    this.name = parts.report.kind;
    this.#limits = parts.report.limits;
    this.report = parts.report;
    this.#hasImage = parts.report.imagePresent;
    this.#canMount = !parts.report.remote && isMountable(parts.tempDir, Deno.build.os);
  }

  get limits(): LimitReport {
    return this.#limits;
  }

  async start(policy: SandboxPolicy, options: StartOptions = {}): Promise<Sandbox> {
    const sandbox = await this.#startInTurns(policy, options);
    void this.tidy();
    return sandbox;
  }

  /**
   * Removes what dead bridges left, once: containers, and `/ipc` folders. Comes by itself after the
   * first start, so that nobody waits for it. Never rejects.
   */
  tidy(): Promise<void> {
    this.#tidying ??= this.#tidyOnce();
    return this.#tidying;
  }

  /** Ends every sandbox of this engine, and the machine if it is ours. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#sandboxes].map((sandbox) => sandbox[Symbol.asyncDispose]()));
    await this.#tidying;
    await this.#parts.machine?.[Symbol.asyncDispose]();
  }

  async #tidyOnce(): Promise<void> {
    const { cli, report, lookUp, tempDir, owner } = this.#parts;
    const { signal } = this.#closing;
    await Promise.all([
      reapContainers(cli, { kind: report.kind, sameKernel: report.sameKernel, lookUp, signal }),
      pruneIpcFolders(tempDir, { owner, lookUp, signal }),
    ]);
  }

  /** Starts, and once more for each thing that turned out to be missing. */
  async #startInTurns(policy: SandboxPolicy, options: StartOptions): Promise<Sandbox> {
    for (;;) {
      const usedMount = this.#canMount;
      const hadImage = this.#hasImage;
      const hadProfile = this.#hasProfile;
      const attempt = await this.#attempt(policy, options);
      if (!("stderr" in attempt)) return attempt;
      const trouble = classifyTrouble(attempt.stderr);
      if (trouble === "no mount" && usedMount) this.#canMount = false;
      else if (trouble === "no image" && hadImage) this.#hasImage = false;
      else if (trouble === "no profile" && hadProfile) this.#giveUpProfile();
      else throw this.#toStartError(attempt);
    }
  }

  async #attempt(policy: SandboxPolicy, options: StartOptions): Promise<Sandbox | FailedStart> {
    const { cli, report, machine } = this.#parts;
    const { signal, onProgress } = options;
    assertNotAborted(signal);
    await using held = new AsyncDisposableStack();
    if (machine !== undefined) {
      held.use(machine.use());
      await machine.ensureRunning({ onProgress, signal });
    }
    if (!this.#hasImage) await ensureImage(cli, report.image, { signal, onProgress });
    this.#hasImage = true;
    const folder = await this.#fillFolder(held);
    const delivery = this.#toDelivery(folder);
    assertNotAborted(signal);
    const name = `mcp-sandbox-${randomHex(6)}`;
    const { kind, image } = report;
    const args = toContainerArgs(policy, {
      ...{ kind, name, image, owner: this.#parts.owner, delivery },
      seccompProfile: this.#hasProfile ? `${folder}/${PROFILE_FILE}` : undefined,
    });
    const spawned = this.#spawn(args, delivery);
    const stdin = delivery.by === "stdin"
      ? withHead(spawned.stdin, toLoaderInput(this.#parts.files))
      : spawned.stdin;
    const process = { ...spawned, stdin };
    const sandbox = new ContainerSandbox({
      ...{ cli, kind, name, process, held: held.move() },
      memoryBytes: policy.memoryBytes,
      onWarning: this.#parts.onWarning,
    });
    this.#sandboxes.add(sandbox);
    void sandbox.exited.then(() => this.#sandboxes.delete(sandbox));
    try {
      await sandbox.whenReady(READY_TIMEOUT_MS, signal);
      return sandbox;
    } catch (error) {
      await sandbox[Symbol.asyncDispose]();
      if (error instanceof AppError && error.code === "not_ready") {
        return { stderr: process.stderrTail(), error };
      }
      throw error;
    }
  }

  get #hasProfile(): boolean {
    return this.#limits.systemCalls === "enforced";
  }

  /** The CLI has a profile of its own, so sandboxes go on with that: said once, and in each answer. */
  #giveUpProfile(): void {
    const { cli, onWarning } = this.#parts;
    this.#limits = { ...this.#limits, systemCalls: "not enforceable here" };
    onWarning(`"${cli.command}" cannot read our list of system calls and uses its own`);
  }

  /** Makes the folder with what the CLI takes from our disk; `undefined` when that is nothing. */
  async #fillFolder(held: AsyncDisposableStack): Promise<string | undefined> {
    if (!this.#canMount && !this.#hasProfile) return undefined;
    const { files, tempDir, owner } = this.#parts;
    try {
      const folder: IpcFolder = await makeIpcFolder(tempDir, {
        ...(this.#canMount && files),
        ...(this.#hasProfile && { [PROFILE_FILE]: SECCOMP_PROFILE }),
      }, owner);
      return held.use(folder).path;
    } catch (cause) {
      throw new AppError("Cannot write the runtime to a temporary folder", {
        hint: "Set TMPDIR to a folder that can be written",
        cause,
      });
    }
  }

  #toDelivery(folder: string | undefined): RuntimeDelivery {
    if (!this.#canMount || folder === undefined) return { by: "stdin", loader: LOADER };
    return { by: "mount", folder, selinux: this.#parts.report.selinux };
  }

  #spawn(args: string[], delivery: RuntimeDelivery): CliProcess {
    const { cli, tempDir } = this.#parts;
    // Podman's monitor drops a file named "oom" where it was started when memory runs out.
    const cwd = delivery.by === "mount" ? delivery.folder : tempDir;
    try {
      return cli.spawn(args, cwd);
    } catch (cause) {
      throw new AppError(`Cannot run "${cli.command}"`, {
        hint: `See what "${cli.command} info" says`,
        cause,
      });
    }
  }

  #toStartError({ stderr, error }: FailedStart): AppError {
    const { cli, report, tempDir } = this.#parts;
    const context = { command: cli.command, image: report.image, tempDir };
    return toStartError(stderr, { ...context, otherwise: error.message });
  }
}

/** A sandbox that ended before it was ready, and what was said on the way. */
interface FailedStart {
  stderr: string;
  error: AppError;
}

function randomHex(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}
