import { DEFAULT_RATE_LIMITS, type RateBucket, type RateLimit } from './rate-bucket.ts';
import { type Drawn, SlidingWindow } from './sliding-window.ts';

/** What one holder (an account, a key, an address) has drawn, bucket by bucket. */
export class RateWindows {
  readonly #windows = new Map<RateBucket, SlidingWindow>();

  of(bucket: RateBucket): SlidingWindow {
    let window = this.#windows.get(bucket);
    if (window === undefined) {
      window = new SlidingWindow();
      this.#windows.set(bucket, window);
    }
    return window;
  }

  /** Whether nothing is drawn that still counts, so that fresh windows would say the same. */
  isEmpty(now: number): boolean {
    for (const [bucket, window] of this.#windows)
      if (!window.isEmpty(now, DEFAULT_RATE_LIMITS[bucket].windowMs)) return false;
    return true;
  }
}

/** A window, and the limit that holds there. */
export interface LimitedWindow {
  readonly window: SlidingWindow;
  readonly limit: RateLimit;
}

/** Draws on all windows or on none, and answers the one with the least left, or the refusal that lasts longest. */
export function drawTogether(now: number, cost: number, windows: readonly [LimitedWindow, ...LimitedWindow[]]): Drawn {
  const refusals = windows.flatMap(({ window, limit }) => window.refusal(now, cost, limit) ?? []);
  if (refusals.length > 0) return refusals.reduce((a, b) => (b.retryAfter > a.retryAfter ? b : a));
  return windows
    .map(({ window, limit }) => window.draw(now, cost, limit))
    .reduce((a, b) => (b.rate.remaining < a.rate.remaining ? b : a));
}

/** What a draw in part came to. */
export interface DrawnInPart {
  readonly drawn: Drawn;
  /** Units that did not fit, and the whole seconds after which one of them does. */
  readonly beyond: { readonly count: number; readonly retryAfter: number } | null;
}

/** Draws as many of the units as fit on all windows. Where not one does, that is a refusal as `drawTogether` has it. */
export function drawInPart(
  now: number,
  cost: number,
  windows: readonly [LimitedWindow, ...LimitedWindow[]],
): DrawnInPart {
  const left = Math.min(...windows.map(({ window, limit }) => window.left(now, limit)));
  const count = Math.max(1, Math.min(cost, left));
  const drawn = drawTogether(now, count, windows);
  if (drawn.type === 'limited' || count === cost) return { drawn, beyond: null };
  const retryAfter = Math.max(...windows.map(({ window, limit }) => window.refusal(now, 1, limit)?.retryAfter ?? 0));
  return { drawn, beyond: { count: cost - count, retryAfter } };
}
