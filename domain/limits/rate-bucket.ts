/** Which rate limit a request draws on (X-LIM-01 to X-LIM-03). What ends risk shares none with what reads, follows or places. */
export type RateBucket = 'public' | 'private' | 'orders' | 'cancels' | 'subscriptions' | 'stops' | 'reports';

export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * X-LIM-01 to X-LIM-03. An operator may raise the number of a key's bucket, never its window. Whoever has lost five full connections
 * subscribes to 500 topics anew. An agent server reports reads, cancels and placements, each of which has a limit.
 */
export const DEFAULT_RATE_LIMITS: Readonly<Record<RateBucket, RateLimit>> = {
  public: { limit: 100, windowMs: 60_000 },
  private: { limit: 300, windowMs: 60_000 },
  orders: { limit: 10, windowMs: 1_000 },
  cancels: { limit: 300, windowMs: 60_000 },
  subscriptions: { limit: 500, windowMs: 60_000 },
  stops: { limit: 300, windowMs: 60_000 },
  reports: { limit: 900, windowMs: 60_000 },
};

/** Whether what draws on a bucket counts among private requests, too, as far as these have room, and never waits for it (X-LIM-02). */
export function isPrivateToo(bucket: RateBucket): boolean {
  return bucket === 'cancels' || bucket === 'stops';
}

/** Numbers that an operator has given a key, by bucket. */
export type KeyRateLimits = Readonly<Partial<Record<RateBucket, number>>>;

const FOLLOW_PRIVATE: ReadonlySet<RateBucket> = new Set(['cancels', 'subscriptions', 'reports']);

/**
 * How much of a bucket a key may draw in its window. What it was given for `private` is also its number of cancels, subscriptions and reports,
 * unless they have numbers of their own; more than the default of `private` never makes these fewer.
 */
export function limitOfKey(given: KeyRateLimits, bucket: RateBucket): number {
  const own = given[bucket];
  if (own !== undefined) return own;
  const byDefault = DEFAULT_RATE_LIMITS[bucket].limit;
  if (given.private === undefined || !FOLLOW_PRIVATE.has(bucket)) return byDefault;
  return given.private < DEFAULT_RATE_LIMITS.private.limit ? given.private : Math.max(given.private, byDefault);
}
