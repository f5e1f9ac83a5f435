/** What the exchange last said of the limit that an operation draws on. */
interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** Unix milliseconds at which it is whole again. */
  readonly resetAt: number;
}

const OPERATIONS_MAX = 1_000;

/** The limits by operation, as `X-RateLimit-*` of the answers tell them. */
export class RateLimits {
  readonly #known = new Map<string, RateLimit>();

  of(operation: string): RateLimit | null {
    return this.#known.get(operation) ?? null;
  }

  told(operation: string, headers: Headers): void {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
    if (limit == null || remaining == null || reset == null) return;
    if (this.#known.size >= OPERATIONS_MAX) this.#known.clear();
    this.#known.set(operation, {
      limit: Number(limit),
      remaining: Number(remaining),
      resetAt: Number(reset) * 1_000,
    });
  }

  /** How long to hold a call back that would find nothing left, at most `msMax`: the exchange may have room before all of it is back. */
  holdMs(operation: string, now: number, msMax: number): number {
    const known = this.#known.get(operation);
    if (known === undefined || known.remaining > 0) return 0;
    return Math.min(Math.max(0, known.resetAt - now), msMax);
  }
}
