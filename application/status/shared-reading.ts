interface Times {
  /** So long everybody is told the same. */
  readonly freshMs: number;
  /** While somebody reads it anew, the others are told the last one up to this age. */
  readonly oldMsMax: number;
  /** A read that has not ended by then is lost, as with the request that made it. */
  readonly readingMsMax: number;
}

/**
 * What one isolate reads for everybody who asks. Nobody waits for the read of another request, which may end with it: while one reads, the others are
 * told what was read last. So what is slow is asked once at a time, however many ask. Where nothing was read yet, each reads. Times are Unix milliseconds.
 */
export class SharedReading<T> {
  readonly #times: Times;
  #last: { readonly value: T; readonly at: number } | null = null;
  /** Since when somebody reads; null while nobody does. */
  #since: number | null = null;
  /** Counts what was forgotten: a read of before it is told to whoever made it alone. */
  #generation = 0;

  constructor(times: Times) {
    this.#times = times;
  }

  async read(now: number, make: () => Promise<T>): Promise<T> {
    const { freshMs, oldMsMax, readingMsMax } = this.#times;
    const isReading = isWithin(this.#since, now, readingMsMax);
    const last = this.#last;
    if (last !== null && isWithin(last.at, now, isReading ? oldMsMax : freshMs)) return last.value;
    const generation = this.#generation;
    this.#since = now;
    try {
      const value = await make();
      const isNewest = generation === this.#generation && (this.#last === null || this.#last.at <= now);
      if (isNewest) this.#last = { value, at: now };
      return value;
    } finally {
      if (this.#since === now) this.#since = null;
    }
  }

  forget(): void {
    this.#last = null;
    this.#since = null;
    this.#generation += 1;
  }
}

function isWithin(since: number | null, now: number, ms: number): boolean {
  return since !== null && now >= since && now - since < ms;
}
