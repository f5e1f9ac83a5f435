/** Which rate limit a request draws on (X-LIM-01 to X-LIM-03). */
export type RateBucket = 'public' | 'private' | 'orders';

export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** X-LIM-01 to X-LIM-03. An operator may raise the number of a key's bucket, never its window. */
export const DEFAULT_RATE_LIMITS: Readonly<Record<RateBucket, RateLimit>> = {
  public: { limit: 100, windowMs: 60_000 },
  private: { limit: 300, windowMs: 60_000 },
  orders: { limit: 10, windowMs: 1_000 },
};
