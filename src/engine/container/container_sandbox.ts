/**
 * One container with an interpreter in it, from the spawned CLI to the removed container. Knows how
 * it ends; what it runs is no matter here.
 */
import { AppError } from "../../shared/errors.ts";
import { type Channel, LineChannel } from "../../wire/channel.ts";
import { brokenExit, type Sandbox, type SandboxExit } from "../engine.ts";
import type { ContainerKind } from "./container_args.ts";
import type { CliProcess, ContainerCli } from "./container_cli.ts";
import { toExit } from "./exit_reason.ts";
import { removeContainer } from "./remove_container.ts";

/** How long an interpreter may live on after it has closed its side of the channel. */
const CLOSING_GRACE_MS = 2_000;

/** What a {@link ContainerSandbox} is made of. */
export interface ContainerSandboxParts {
  cli: ContainerCli;
  kind: ContainerKind;
  /** Name of the container. */
  name: string;
  /** The `run` that is attached to it. */
  process: CliProcess;
  memoryBytes: number;
  /** Freed when the container is gone. */
  held: AsyncDisposable;
  /** Told when the container could not be removed. */
  onWarning: (message: string) => void;
}

/** A {@link Sandbox} in a container. */
export class ContainerSandbox implements Sandbox {
  readonly channel: Channel;
  readonly exited: Promise<SandboxExit>;
  readonly #parts: ContainerSandboxParts;
  readonly #ready = Promise.withResolvers<void>();
  #exit: SandboxExit | undefined;
  #removal: Promise<boolean> | undefined;

  constructor(parts: ContainerSandboxParts) {
    this.#parts = parts;
    this.channel = new LineChannel(parts.process.stdout, parts.process.stdin);
    this.channel.listen((message) => {
      if (message.type === "ready") this.#ready.resolve();
    });
    this.exited = this.#live();
  }

  /**
   * Resolves when the interpreter has said `ready`.
   *
   * @throws {AppError} `not_ready` if it ended or did not say so in time, another if asked to stop.
   */
  async whenReady(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const failed = Promise.withResolvers<never>();
    const fail = (message: string, options = {}) => failed.reject(new AppError(message, options));
    const notReady = { code: "not_ready" } as const;
    const timer = setTimeout(
      () => fail(`The sandbox was not ready after ${timeoutMs / 1000}s`, notReady),
      timeoutMs,
    );
    const onAbort = () => fail("The start of the sandbox was cancelled");
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    const ended = this.exited.then(({ detail }) => fail(detail, notReady));
    try {
      await Promise.race([this.#ready.promise, failed.promise, ended.then(() => failed.promise)]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#exit ??= { reason: "closed", detail: "closed by the host" };
    void this.#remove();
    await this.exited;
  }

  async #live(): Promise<SandboxExit> {
    const { process, memoryBytes, held } = this.#parts;
    void this.channel.closed.then(({ error }) => this.#onChannelEnd(error));
    const code = await process.exitCode;
    this.#exit ??= toExit(code, memoryBytes);
    await this.#remove();
    await held[Symbol.asyncDispose]();
    return this.#exit;
  }

  async #onChannelEnd(error: Error | undefined): Promise<void> {
    if (error === undefined) {
      // Usually it is ending by itself; code that closed its own stdout is not.
      let timer: ReturnType<typeof setTimeout> | undefined;
      const grace = new Promise<"stays">((resolve) => {
        timer = setTimeout(() => resolve("stays"), CLOSING_GRACE_MS);
      });
      const outcome = await Promise.race([this.#parts.process.exitCode, grace]);
      clearTimeout(timer);
      if (outcome !== "stays") return;
    }
    this.#exit ??= brokenExit(error?.message ?? "it closed its stdout");
    void this.#remove();
  }

  #remove(): Promise<boolean> {
    this.#removal ??= this.#removeOnce();
    return this.#removal;
  }

  async #removeOnce(): Promise<boolean> {
    const { cli, kind, name, process, onWarning } = this.#parts;
    const gone = await removeContainer(cli, kind, name, process);
    if (!gone) {
      onWarning(`Container ${name} could not be removed; "${cli.command} rm -f ${name}" does`);
    }
    return gone;
  }
}
