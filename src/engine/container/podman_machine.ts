/**
 * The VM in which podman runs containers on macOS and Windows: made and started when a sandbox needs
 * it, stopped when idle, and only if we started it. Never made rootful, never changed otherwise.
 */
import { abortable } from "@std/async/abortable";
import { AppError } from "../../shared/errors.ts";
import {
  assertNotAborted,
  type CliResult,
  type CliRunOptions,
  type ContainerCli,
} from "./container_cli.ts";
import { lastLine } from "./engine_report.ts";

const LIST_TIMEOUT_MS = 30_000;
const START_TIMEOUT_MS = 5 * 60_000;
const INIT_TIMEOUT_MS = 30 * 60_000;

/** What the end of a bridge may take: who waits for it has other things to do. */
const LAST_STOP_MS = 10_000;

/** One line of `podman machine list`. */
export interface Machine {
  name: string;
  isDefault: boolean;
  state: "running" | "starting" | "stopped";
}

/** What has to be done so that a machine runs. */
export type MachineStep = { do: "init" } | { do: "start"; name: string } | { do: "nothing" };

/** Options of {@link PodmanMachine}. */
export interface PodmanMachineOptions {
  /** Time without sandboxes after which a machine of ours is stopped. */
  idleTimeoutMs: number;
}

/** Options of {@link PodmanMachine.ensureRunning}. */
export interface EnsureRunningOptions {
  onProgress?: ((message: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Reads `podman machine list --format json`. */
export function parseMachines(stdout: string): Machine[] {
  const list: unknown = JSON.parse(stdout);
  if (!Array.isArray(list)) throw new Error("Expected a list of machines");
  return list.map((entry) => ({
    name: String(entry.Name).replace(/\*$/, ""),
    isDefault: entry.Default === true,
    state: entry.Running === true ? "running" : entry.Starting === true ? "starting" : "stopped",
  }));
}

/** Chooses the step: the default machine is the one podman talks to. */
export function toNextStep(machines: readonly Machine[]): MachineStep {
  const machine = machines.find(({ isDefault }) => isDefault) ?? machines[0];
  if (machine === undefined) return { do: "init" };
  // One that is starting becomes usable through a second start, which waits for it or says so.
  return machine.state === "running" ? { do: "nothing" } : { do: "start", name: machine.name };
}

/** Keeps a podman machine running while there are sandboxes. */
export class PodmanMachine implements AsyncDisposable {
  readonly #cli: ContainerCli;
  readonly #idleTimeoutMs: number;
  /** Name of the machine that we started; absent while there is none. */
  #ours: string | undefined;
  #users = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Start and stop take turns. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(cli: ContainerCli, options: PodmanMachineOptions) {
    this.#cli = cli;
    this.#idleTimeoutMs = options.idleTimeoutMs;
  }

  /**
   * Resolves when a machine runs; makes and starts one if need be.
   *
   * @throws {AppError} with the command to run by hand.
   */
  async ensureRunning(options: EnsureRunningOptions = {}): Promise<void> {
    const { signal } = options;
    assertNotAborted(signal);
    try {
      const advanced = this.#inTurn(() => this.#advance(options));
      await (signal === undefined ? advanced : abortable(advanced, signal));
    } finally {
      assertNotAborted(signal);
    }
  }

  /** Keeps the machine from being idle until the returned value is disposed of. */
  use(): AsyncDisposable {
    this.#users++;
    clearTimeout(this.#timer);
    let used = true;
    return {
      [Symbol.asyncDispose]: () => {
        if (used) {
          used = false;
          this.#users--;
          this.#waitForIdle();
        }
        return Promise.resolve();
      },
    };
  }

  /** Stops the machine if we started it and nobody uses it, unless podman takes too long for that. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#inTurn(() => this.#stop(AbortSignal.timeout(LAST_STOP_MS)));
    clearTimeout(this.#timer);
  }

  async #advance(options: EnsureRunningOptions): Promise<void> {
    const { signal } = options;
    let step = toNextStep(await this.#list(signal));
    if (step.do === "init") {
      options.onProgress?.("Creating a podman machine (this downloads a system image)");
      await this.#must(["machine", "init"], { timeoutMs: INIT_TIMEOUT_MS, signal });
      step = toNextStep(await this.#list(signal));
    }
    if (step.do !== "start") return;
    options.onProgress?.(`Starting the podman machine "${step.name}"`);
    const result = await this.#cli.run(["machine", "start", step.name], {
      timeoutMs: START_TIMEOUT_MS,
      signal,
    });
    // One that was given up half way is ours, too: it may be running by now.
    if (result.code === 0 || result.end === "aborted") {
      this.#ours = step.name;
      this.#waitForIdle();
    } else if (!/already (running|starting)/i.test(result.stderr)) {
      throw toMachineError(["machine", "start"], result);
    }
  }

  #waitForIdle(): void {
    clearTimeout(this.#timer);
    if (this.#users > 0 || this.#ours === undefined) return;
    this.#timer = setTimeout(() => void this.#inTurn(() => this.#stop()), this.#idleTimeoutMs);
    // A bridge that is done must not stay for the sake of its machine.
    Deno.unrefTimer(this.#timer);
  }

  async #stop(signal?: AbortSignal): Promise<void> {
    const name = this.#ours;
    if (name === undefined || this.#users > 0) return;
    const others = await this.#cli.run(["ps", "--quiet"], {
      timeoutMs: LIST_TIMEOUT_MS,
      signal,
    });
    // At our end one that does not even answer runs nobody's containers.
    const isFree = others.code === 0 || (signal !== undefined && !signal.aborted);
    if (!isFree || others.stdout.trim() !== "") {
      // Somebody else's containers are in there by now; look again later.
      this.#waitForIdle();
      return;
    }
    this.#ours = undefined;
    await this.#cli.run(["machine", "stop", name], { timeoutMs: START_TIMEOUT_MS, signal });
  }

  async #list(signal: AbortSignal | undefined): Promise<Machine[]> {
    const args = ["machine", "list", "--format", "json"];
    const { stdout } = await this.#must(args, { timeoutMs: LIST_TIMEOUT_MS, signal });
    return parseMachines(stdout || "[]");
  }

  async #must(args: string[], options: CliRunOptions): Promise<CliResult> {
    const result = await this.#cli.run(args, options);
    if (result.code !== 0) throw toMachineError(args.slice(0, 2), result);
    return result;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}

function toMachineError(args: readonly string[], result: CliResult): AppError {
  const command = `podman ${args.join(" ")}`;
  const reason = lastLine(result.stderr) || `it ended with ${result.end} ${result.code}`;
  return new AppError(`Cannot prepare the podman machine: ${reason}`, {
    hint: `Run "${command}" by hand to see more, or start with --engine wasm`,
  });
}
