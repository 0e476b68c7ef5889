/** The time of one run. It stands still while somebody outside is asked, but not for ever. */
import { MAX_TIMER_MS } from "./deadline.ts";

interface Alarm {
  at: number;
  action: () => void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** A clock with alarms that can be stopped for a while. */
export class PausableClock {
  readonly #alarms = new Set<Alarm>();
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
    const alarm: Alarm = { at: this.now() + ms, action, timer: undefined };
    this.#alarms.add(alarm);
    if (this.#pausedAt === undefined) this.#arm(alarm);
    return () => {
      clearTimeout(alarm.timer);
      this.#alarms.delete(alarm);
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
    for (const { timer } of this.#alarms) clearTimeout(timer);
    this.#pauseEnd = setTimeout(() => this.#goOn(), this.#pauseLeftMs);
  }

  #goOn(): void {
    if (this.#pausedAt === undefined) return;
    clearTimeout(this.#pauseEnd);
    const ms = performance.now() - this.#pausedAt;
    this.#pausedAt = undefined;
    this.#pausedMs += ms;
    this.#pauseLeftMs -= ms;
    for (const alarm of this.#alarms) this.#arm(alarm);
  }

  #arm(alarm: Alarm): void {
    const ms = Math.min(Math.max(0, alarm.at - this.now()), MAX_TIMER_MS);
    alarm.timer = setTimeout(() => {
      this.#alarms.delete(alarm);
      alarm.action();
    }, ms);
  }
}
