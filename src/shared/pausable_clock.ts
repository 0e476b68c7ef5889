/** The time of one run. It stands still while somebody outside is asked, but not for ever. */
import { MAX_TIMER_MS } from "./deadline.ts";

interface Alarm {
  at: number;
  action: () => void;
}

/** A clock with alarms that can be stopped for a while. */
export class PausableClock {
  readonly #alarms = new Set<Alarm>();
  /** Goes off at the first alarm or before it: each tool call sets one, and few are ever reached. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Infinity;
  /** What is left of the time it may stand still in all. */
  #pauseLeftMs: number;
  #pausedMs = 0;
  #pauses = 0;
  #pausedAt: number | undefined;
  #pauseEnd: ReturnType<typeof setTimeout> | undefined;

  constructor(maxPausedMs: number) {
    this.#pauseLeftMs = Math.min(maxPausedMs, MAX_TIMER_MS);
  }

  /** Milliseconds, without the time it stood still. */
  now(): number {
    return (this.#pausedAt ?? performance.now()) - this.#pausedMs;
  }

  /** Calls `action` once `ms` of this clock are over; the result takes it back. */
  after(ms: number, action: () => void): () => void {
    const alarm: Alarm = { at: this.now() + ms, action };
    this.#alarms.add(alarm);
    if (this.#pausedAt === undefined && alarm.at < this.#timerAt) this.#arm(alarm.at);
    return () => {
      if (this.#alarms.delete(alarm) && this.#alarms.size === 0) this.#disarm();
    };
  }

  /** Stops the clock; it goes on when the last of those who stopped it calls what this returns. */
  pause(): () => void {
    this.#pauses++;
    if (this.#pauses === 1 && this.#pauseLeftMs > 0) this.#stop();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#pauses--;
      if (this.#pauses === 0) this.#goOn();
    };
  }

  #stop(): void {
    this.#pausedAt = performance.now();
    this.#disarm();
    this.#pauseEnd = setTimeout(() => this.#goOn(), this.#pauseLeftMs);
  }

  #goOn(): void {
    if (this.#pausedAt === undefined) return;
    clearTimeout(this.#pauseEnd);
    const ms = performance.now() - this.#pausedAt;
    this.#pausedAt = undefined;
    this.#pausedMs += ms;
    this.#pauseLeftMs -= ms;
    this.#armFirst();
  }

  #arm(at: number): void {
    this.#disarm();
    this.#timerAt = at;
    const ms = Math.min(Math.max(0, at - this.now()), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#goOff(), ms);
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timerAt = Infinity;
  }

  #armFirst(): void {
    let first = Infinity;
    for (const { at } of this.#alarms) first = Math.min(first, at);
    if (first < Infinity) this.#arm(first);
  }

  /** The timer may be early, by a fraction of a millisecond or where its alarm was taken back. */
  #goOff(): void {
    this.#timerAt = Infinity;
    const now = this.now();
    const due = [...this.#alarms].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    for (const alarm of due) {
      // Not if the action before has taken it back.
      if (this.#alarms.delete(alarm)) alarm.action();
    }
    if (this.#pausedAt === undefined) this.#armFirst();
  }
}
