/** Where work that has asked something stands until somebody comes back with the answers, or nobody does. */

/** Most that is parked at once. */
const MAX_PARKED = 50;

/**
 * How long what is parked still waits when further work of its owner is in line behind it. Less than a
 * minute, after which many clients give up the call in line.
 */
const HURRY_MS = 30_000;

/** Bounds of {@link Parking}. */
export interface ParkingLimits {
  /** How long somebody may take for the answers. */
  maxAskMs: number;
  /** @default 50 */
  maxParked?: number;
  /** @default 30000 */
  hurryMs?: number;
}

interface Parked<T> {
  owner: string;
  work: T;
  expiresAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Keeps work for its owner, and cancels what nobody comes back for. */
export class Parking<T extends { cancel(): void }> {
  readonly #limits: Required<ParkingLimits>;
  readonly #parked = new Map<string, Parked<T>>();

  constructor(limits: ParkingLimits) {
    this.#limits = { maxParked: MAX_PARKED, hurryMs: HURRY_MS, ...limits };
  }

  get size(): number {
    return this.#parked.size;
  }

  /** Whether there is room for more. */
  get hasRoom(): boolean {
    return this.size < this.#limits.maxParked;
  }

  /** Lets work wait; the result is its key, a new one each time, so that an old one leads nowhere. */
  park(owner: string, work: T): string {
    const key = crypto.randomUUID();
    const parked: Parked<T> = { owner, work, expiresAt: 0, timer: undefined };
    this.#parked.set(key, parked);
    this.#expire(key, parked, this.#limits.maxAskMs);
    return key;
  }

  /** What has this key, if it is there and the owner's; it waits no longer. */
  take(owner: string, key: string): T | undefined {
    const parked = this.#parked.get(key);
    // SECURITY: session boundary. What a session has parked is its alone, whoever learned the key.
    if (parked === undefined || parked.owner !== owner) return undefined;
    clearTimeout(parked.timer);
    this.#parked.delete(key);
    return parked.work;
  }

  /** Has what an owner parked wait less long, since more of its work is in line. */
  hurry(owner: string): void {
    const { hurryMs } = this.#limits;
    for (const [key, parked] of this.#parked) {
      if (parked.owner !== owner || parked.expiresAt - performance.now() <= hurryMs) continue;
      clearTimeout(parked.timer);
      this.#expire(key, parked, hurryMs);
    }
  }

  #expire(key: string, parked: Parked<T>, ms: number): void {
    parked.expiresAt = performance.now() + ms;
    parked.timer = setTimeout(() => {
      this.#parked.delete(key);
      parked.work.cancel();
    }, ms);
    Deno.unrefTimer(parked.timer);
  }
}
