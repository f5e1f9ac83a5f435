import type { Result } from '../../domain/result.ts';

/** What a source has said, and whether it still says so. */
export interface Known<T> {
  readonly value: T;
  /** The source could not be asked again: this is what it said last. */
  readonly isStale: boolean;
}

interface Kept<T> {
  readonly value: T;
  readonly readAt_ms: number;
}

/**
 * What an isolate has heard of a source, by key: asked again once it is older than `fresh_ms`, and shown on as stale while the source does not
 * answer within `wait_ms`. A source that was asked in vain is left alone for `fresh_ms`.
 */
export class LatestKnown<T> {
  readonly #fresh_ms: number;
  readonly #wait_ms: number;
  readonly #keysMax: number;
  readonly #kept = new Map<string, Kept<T>>();
  readonly #failedAt_ms = new Map<string, number>();

  constructor({ fresh_ms, wait_ms, keysMax }: { fresh_ms: number; wait_ms: number; keysMax: number }) {
    this.#fresh_ms = fresh_ms;
    this.#wait_ms = wait_ms;
    this.#keysMax = keysMax;
  }

  /** Null where the source has never answered. */
  async read(key: string, now_ms: number, ask: () => Promise<Result<T, unknown>>): Promise<Known<T> | null> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && now_ms - kept.readAt_ms < this.#fresh_ms) return { value: kept.value, isStale: false };
    const failedAt_ms = this.#failedAt_ms.get(key);
    const isLeftAlone = failedAt_ms !== undefined && now_ms - failedAt_ms < this.#fresh_ms;
    const answer = isLeftAlone ? null : await this.#within(ask());
    if (answer?.ok) {
      this.#failedAt_ms.delete(key);
      put(this.#kept, key, { value: answer.value, readAt_ms: now_ms }, this.#keysMax);
      return { value: answer.value, isStale: false };
    }
    if (!isLeftAlone) put(this.#failedAt_ms, key, now_ms, this.#keysMax);
    return kept === undefined ? null : { value: kept.value, isStale: true };
  }

  async #within(answer: Promise<Result<T, unknown>>): Promise<Result<T, unknown> | null> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.#wait_ms);
    });
    // One that is given up on may still fail, and then nobody listens.
    return Promise.race([answer.catch(() => null), late]).finally(() => clearTimeout(timer));
  }
}

/** Of too many the key that was put longest ago goes. */
function put<V>(map: Map<string, V>, key: string, value: V, keysMax: number): void {
  map.delete(key);
  if (map.size >= keysMax) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}
