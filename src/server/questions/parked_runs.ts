/**
 * Runs that wait for a client of 2026-07-28 to come back with answers. The client holds a signed note that
 * names its run.
 */
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import { Parking, type ParkingLimits } from "../../questions/parking.ts";
import { AppError } from "../../shared/errors.ts";
import type { Conversation } from "./conversation.ts";

/** What the signed note says. */
interface Note {
  key: string;
}

/** Keeps runs until their clients come back. */
export class ParkedRuns {
  readonly #parking: Parking<Conversation>;
  readonly #ttlSeconds: number;
  #codec: RequestStateCodec<Note> | undefined;

  constructor(limits: ParkingLimits) {
    this.#parking = new Parking(limits);
    this.#ttlSeconds = Math.ceil(limits.maxAskMs / 1000) + 60;
  }

  get size(): number {
    return this.#parking.size;
  }

  /** Whether one more run can wait. */
  get hasRoom(): boolean {
    return this.#parking.hasRoom;
  }

  /** Lets a run of a session wait; the result is what the client has to bring back. */
  async park(session: string, conversation: Conversation): Promise<string> {
    return await this.#notes().mint({ key: this.#parking.park(session, conversation) });
  }

  /**
   * The run of this session that a note names; it waits no longer.
   *
   * @throws {AppError} if the note is not ours, or the session has no such run.
   */
  async take(session: string, state: string): Promise<Conversation> {
    const { key } = await this.#notes().verify(state, NO_CONTEXT).catch((error) => {
      // SECURITY: only this process can name a parked run. A note of a client is input like any other.
      throw error instanceof Error && error.message === "expired" ? gone() : forged();
    });
    const conversation = this.#parking.take(session, key);
    if (conversation === undefined) throw gone();
    return conversation;
  }

  /** Has the parked runs of a session wait less long, since another call needs it. */
  hurry(session: string): void {
    this.#parking.hurry(session);
  }

  #notes(): RequestStateCodec<Note> {
    return this.#codec ??= createRequestStateCodec<Note>({
      key: crypto.getRandomValues(new Uint8Array(32)),
      ttlSeconds: this.#ttlSeconds,
    });
  }
}

/** The notes are bound to nothing but the key. */
const NO_CONTEXT = {} as Parameters<RequestStateCodec["verify"]>[1];

const AGAIN = "Call run_python again without requestState";

function gone(): AppError {
  const message = "The run that asked is over: it was answered already, or waited too long";
  return new AppError(message, { hint: AGAIN });
}

function forged(): AppError {
  const message = "The requestState is not one that this process gave out";
  return new AppError(message, { hint: AGAIN });
}
