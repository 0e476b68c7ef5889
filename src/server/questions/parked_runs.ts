/**
 * Runs that wait for a client of 2026-07-28 to come back with answers. The client holds a signed note that
 * names its run; a run whose client does not come back is cancelled.
 */
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import type { Runner } from "../../session/run_request.ts";
import { AppError } from "../../shared/errors.ts";
import type { Conversation } from "./conversation.ts";

/** Most runs that wait at once. */
const MAX_PARKED = 50;

/**
 * How long a run still waits for its client when a further call is in line behind it. Less than a minute,
 * after which many clients give up the call in line.
 */
const HURRY_MS = 30_000;

interface Parked {
  conversation: Conversation;
  /** The session it runs in. */
  runner: Runner;
  expiresAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** What the signed note says. */
interface Note {
  /** A random id, new for each time a run is parked: an old note leads nowhere. */
  id: string;
}

/** Bounds of {@link ParkedRuns}. */
export interface ParkingLimits {
  /** How long a client may take for its answers. */
  maxAskMs: number;
  /** @default 50 */
  maxParked?: number;
  /** @default 30000 */
  hurryMs?: number;
}

/** Keeps runs until their clients come back. */
export class ParkedRuns {
  readonly #limits: Required<ParkingLimits>;
  readonly #parked = new Map<string, Parked>();
  #codec: RequestStateCodec<Note> | undefined;

  constructor(limits: ParkingLimits) {
    this.#limits = { maxParked: MAX_PARKED, hurryMs: HURRY_MS, ...limits };
  }

  get size(): number {
    return this.#parked.size;
  }

  /** Whether one more run can wait. */
  get hasRoom(): boolean {
    return this.#parked.size < this.#limits.maxParked;
  }

  /** Lets a run wait; the result is what the client has to bring back. */
  async park(conversation: Conversation, runner: Runner): Promise<string> {
    const id = crypto.randomUUID();
    const { maxAskMs } = this.#limits;
    const parked: Parked = { conversation, runner, expiresAt: 0, timer: undefined };
    this.#parked.set(id, parked);
    this.#expire(id, parked, maxAskMs);
    return await this.#notes().mint({ id });
  }

  /**
   * The run that a note names; it waits no longer.
   *
   * @throws {AppError} if the note is not ours, or its run is gone.
   */
  async take(state: string): Promise<Conversation> {
    const { id } = await this.#notes().verify(state, NO_CONTEXT).catch((error) => {
      // SECURITY: only this process can name a parked run. A note of a client is input like any other.
      throw error instanceof Error && error.message === "expired" ? gone() : forged();
    });
    const parked = this.#parked.get(id);
    if (parked === undefined) throw gone();
    clearTimeout(parked.timer);
    this.#parked.delete(id);
    return parked.conversation;
  }

  /** Has the parked runs of a session wait less long, since another call needs it. */
  hurry(runner: Runner): void {
    const { hurryMs } = this.#limits;
    for (const [id, parked] of this.#parked) {
      if (parked.runner !== runner || parked.expiresAt - performance.now() <= hurryMs) continue;
      clearTimeout(parked.timer);
      this.#expire(id, parked, hurryMs);
    }
  }

  #expire(id: string, parked: Parked, ms: number): void {
    parked.expiresAt = performance.now() + ms;
    parked.timer = setTimeout(() => {
      this.#parked.delete(id);
      parked.conversation.cancel();
    }, ms);
    Deno.unrefTimer(parked.timer);
  }

  #notes(): RequestStateCodec<Note> {
    return this.#codec ??= createRequestStateCodec<Note>({
      key: crypto.getRandomValues(new Uint8Array(32)),
      ttlSeconds: Math.ceil(this.#limits.maxAskMs / 1000) + 60,
    });
  }
}

/** The notes are bound to nothing but the key. */
const NO_CONTEXT = {} as Parameters<RequestStateCodec["verify"]>[1];

const AGAIN = "Call run_python again without requestState";

function gone(): AppError {
  const message = "The run that asked is over: it was answered already, or waited too long";
  return new AppError("parked", message, { hint: AGAIN });
}

function forged(): AppError {
  const message = "The requestState is not one that this process gave out";
  return new AppError("parked", message, { hint: AGAIN });
}
