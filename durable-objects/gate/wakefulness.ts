/** The runtime drops an object from memory once it has been idle for some 10 s, unless a timer is pending; shorter needs no timer. */
const IDLE_MS_MIN = 5_000;

/**
 * Keeps an object in memory while what it remembers still counts: who pauses for a quarter of a minute must not find a fresh minute.
 * One timer is pending at a time, whatever the number of calls.
 */
export class Wakefulness {
  #until = 0;
  #pending = false;

  for(durationMs: number): void {
    if (durationMs < IDLE_MS_MIN) return;
    this.#until = Date.now() + durationMs;
    if (!this.#pending) this.#sleepLater(durationMs);
  }

  #sleepLater(durationMs: number): void {
    this.#pending = true;
    setTimeout(() => {
      this.#pending = false;
      const rest = this.#until - Date.now();
      if (rest > 0) this.#sleepLater(rest);
    }, durationMs);
  }
}
