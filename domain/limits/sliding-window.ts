import type { RateLimit } from './rate-bucket.ts';
import type { RateState } from './rate-state.ts';

export type Drawn =
  /** `drawnAt` is what `giveBack` takes. */
  | { readonly type: 'counted'; readonly rate: RateState; readonly drawnAt: number }
  /** Nothing was counted; `retryAfter` is in whole seconds, at least 1. */
  | { readonly type: 'limited'; readonly rate: RateState; readonly retryAfter: number };

/**
 * An exact sliding window: in no stretch of `windowMs` is more drawn than `limit`. Draws of one millisecond share an entry, so memory
 * is bounded by the window's milliseconds whatever the limit.
 */
export class SlidingWindow {
  readonly #times: number[] = [];
  readonly #costs: number[] = [];
  /** Index of the oldest entry still in the window. */
  #head = 0;
  #used = 0;

  /** Draws `cost` units at `now` (Unix milliseconds), whole or not at all. A cost above the limit never fits. */
  draw(now: number, cost: number, rateLimit: RateLimit): Drawn {
    const refusal = this.refusal(now, cost, rateLimit);
    if (refusal !== null) return refusal;
    const { limit, windowMs } = rateLimit;
    const last = this.#times.length - 1;
    if (last >= this.#head && this.#times[last]! >= now) this.#costs[last]! += cost;
    else {
      this.#times.push(now);
      this.#costs.push(cost);
    }
    this.#used += cost;
    return { type: 'counted', rate: this.#state(now, limit, windowMs), drawnAt: this.#times[this.#times.length - 1]! };
  }

  /** Why `draw` would not count, or null. */
  refusal(now: number, cost: number, { limit, windowMs }: RateLimit): Extract<Drawn, { type: 'limited' }> | null {
    this.#forget(now - windowMs);
    if (this.#used + cost <= limit) return null;
    const [rate, retryAfter] = [this.#state(now, limit, windowMs), this.#wait(now, cost, limit, windowMs)];
    return { type: 'limited', rate, retryAfter };
  }

  /** How much may be drawn now. */
  left(now: number, { limit, windowMs }: RateLimit): number {
    this.#forget(now - windowMs);
    return Math.max(0, limit - this.#used);
  }

  /** Takes back one unit that was drawn at `drawnAt`, which `draw` has answered; nothing where the window has passed over it. */
  giveBack(drawnAt: number): void {
    for (let at = this.#times.length - 1; at >= this.#head && this.#times[at]! >= drawnAt; at--) {
      if (this.#times[at] !== drawnAt || this.#costs[at] === 0) continue;
      this.#costs[at]! -= 1;
      this.#used -= 1;
      return;
    }
  }

  /** Whether nothing is drawn that still counts. */
  isEmpty(now: number, windowMs: number): boolean {
    this.#forget(now - windowMs);
    return this.#used === 0;
  }

  #forget(until: number): void {
    while (this.#head < this.#times.length && this.#times[this.#head]! <= until)
      this.#used -= this.#costs[this.#head++]!;
    if (this.#head > COMPACT_AT && this.#head * 2 > this.#times.length) {
      this.#times.splice(0, this.#head);
      this.#costs.splice(0, this.#head);
      this.#head = 0;
    }
  }

  #state(now: number, limit: number, windowMs: number): RateState {
    const newest = this.#times.length > this.#head ? this.#times[this.#times.length - 1]! + windowMs : now;
    return { limit, remaining: Math.max(0, limit - this.#used), reset: Math.ceil(newest / 1_000) };
  }

  /** Seconds until enough of the oldest draws have left the window. */
  #wait(now: number, cost: number, limit: number, windowMs: number): number {
    let excess = this.#used + cost - limit;
    for (let i = this.#head; i < this.#times.length; i++) {
      excess -= this.#costs[i]!;
      if (excess <= 0) return Math.max(1, Math.ceil((this.#times[i]! + windowMs - now) / 1_000));
    }
    return Math.max(1, Math.ceil(windowMs / 1_000));
  }
}

const COMPACT_AT = 256;
