/**
 * The port behind which sandboxes are made. An engine starts interpreters and kills them; it moves
 * lines and knows nothing of runs, results or MCP. `tests/contract/` is its specification.
 */
import type { Channel } from "../wire/channel.ts";
import type { LimitReport, SandboxPolicy } from "./policy.ts";

/** Why a sandbox is no longer there. */
export interface SandboxExit {
  /** `closed`: we asked for it. `memory`: it went over its limit. `crashed`: anything else. */
  reason: "closed" | "memory" | "crashed";
  /** A sentence part for people, such as `memory limit of 512 MB exceeded`. */
  detail: string;
}

/** What a {@link SandboxExit} says of an interpreter that has probably used up its stack. */
export const TOO_DEEP = "the likely cause is recursion or data nested too deep";

/** Longest part of a fault that is shown. */
const MAX_FAULT_CHARS = 200;

/** The end of a sandbox that sent what it may not send. */
export function brokenExit(fault: string): SandboxExit {
  const detail = `the sandbox broke the protocol: ${fault.slice(0, MAX_FAULT_CHARS)}`;
  return { reason: "crashed", detail };
}

/** Options of {@link Engine.start}. */
export interface StartOptions {
  /** Aborts the start; what was begun is removed. */
  signal?: AbortSignal;
  /** Told what a slow start is doing, such as pulling an image. */
  onProgress?: (message: string) => void;
}

/** One running interpreter that has said `ready`. */
export interface Sandbox extends AsyncDisposable {
  /** Messages to and from the runtime inside. */
  readonly channel: Channel;
  /** Resolves once when the interpreter is gone, whatever the cause; never rejects. */
  readonly exited: Promise<SandboxExit>;
  /** Most levels of JSON that it can read; absent where Python itself refuses what it cannot. */
  readonly maxJsonDepth?: number;
  /** Ends the interpreter at once and resolves when it is gone. Safe to call twice. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes sandboxes. */
export interface Engine {
  /** Name that results carry: `wasm`, `podman`, `docker`. */
  readonly name: string;
  /** Which limits of the policy hold on this engine. */
  readonly limits: LimitReport;
  /**
   * Starts an interpreter and waits until it is ready for `execute`.
   *
   * @throws {AppError} if it cannot be started; nothing is left running then.
   */
  start(policy: SandboxPolicy, options?: StartOptions): Promise<Sandbox>;
}
