const CORRECTION_MS_MAX = 10_000;

/**
 * The exchange's clock, as far as it is known: ours and what was measured between the two. A time is given out once, because a signature
 * over the same request at the same millisecond would be the same one, and a signature serves once.
 */
export class Clock {
  readonly #now: () => number;
  #skewMs = 0;
  #last = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How far the exchange's clock is ahead of ours, in milliseconds. */
  get skewMs(): number {
    return this.#skewMs;
  }

  /** Our own clock, Unix milliseconds. */
  read(): number {
    return this.#now();
  }

  /** For a signature: Unix milliseconds of the exchange, above any that was given out before. */
  stamp(): number {
    this.#last = Math.max(Math.round(this.#now() + this.#skewMs), this.#last + 1);
    return this.#last;
  }

  /** The exchange said `serverTime` between these two readings of our clock. */
  measured(serverTime: number, sentAt: number, receivedAt: number): void {
    this.#skewMs = Math.round(serverTime - (sentAt + receivedAt) / 2);
    // One that ran far ahead starts anew; a small correction keeps times rising.
    if (this.#last > receivedAt + this.#skewMs + CORRECTION_MS_MAX) this.#last = 0;
  }
}
