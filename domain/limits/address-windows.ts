import { rateSubjectsOf } from './address.ts';
import { DEFAULT_RATE_LIMITS, type RateBucket } from './rate-bucket.ts';
import { type LimitedWindow, RateWindows } from './rate-windows.ts';

/** Beyond so many, those on which nothing is drawn any more are forgotten. */
const SUBJECTS_SWEPT_AT = 1_000;

/**
 * What the addresses that share a prefix have drawn, each of them and all together. As many are held as the widest may draw in a minute,
 * and no window is forgotten while something in it counts.
 */
export class AddressWindows {
  readonly #held = new Map<string, RateWindows>();
  #sweepAt = SUBJECTS_SWEPT_AT;

  /** The windows of an address and of the prefixes that it lies in. Draw on them in the same turn. */
  of(address: string, bucket: RateBucket, now: number): [LimitedWindow, ...LimitedWindow[]] {
    if (this.#held.size >= this.#sweepAt) this.#sweep(now);
    const { limit, windowMs } = DEFAULT_RATE_LIMITS[bucket];
    const [narrowest, ...wider] = rateSubjectsOf(address).map(({ name, times }) => {
      const held = this.#held.get(name) ?? new RateWindows();
      this.#held.set(name, held);
      return { window: held.of(bucket), limit: { limit: limit * times, windowMs } };
    });
    return [narrowest as LimitedWindow, ...wider];
  }

  get size(): number {
    return this.#held.size;
  }

  #sweep(now: number): void {
    for (const [name, windows] of this.#held) if (windows.isEmpty(now)) this.#held.delete(name);
    this.#sweepAt = Math.max(SUBJECTS_SWEPT_AT, 2 * this.#held.size);
  }
}
