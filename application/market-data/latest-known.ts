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

/** Asks a source for many keys at once; those that it does not have are left out. */
export type AskSource<T> = (keys: readonly string[]) => Promise<Result<ReadonlyMap<string, T>, unknown>>;

/**
 * What an isolate has heard of a source, by key: asked again once it is older than `fresh_ms`, and shown on as stale while the source does not
 * answer within `wait_ms`. A source that was asked in vain for a key is left alone with it for `fresh_ms`.
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

  /** What is known of these keys; one that the source has never answered is left out. All that have to be asked for are asked for in one call. */
  async read(keys: readonly string[], now_ms: number, ask: AskSource<T>): Promise<ReadonlyMap<string, Known<T>>> {
    const asked = keys.filter((key) => !this.#isFresh(key, now_ms) && !this.#isLeftAlone(key, now_ms));
    const answer = asked.length === 0 ? null : await this.#within(ask(asked));
    const answered = answer?.ok ? answer.value : new Map<string, T>();
    for (const key of asked) {
      const value = answered.get(key);
      if (value === undefined) {
        put(this.#failedAt_ms, key, now_ms, this.#keysMax);
      } else {
        this.#failedAt_ms.delete(key);
        put(this.#kept, key, { value, readAt_ms: now_ms }, this.#keysMax);
      }
    }
    const known = new Map<string, Known<T>>();
    for (const key of keys) {
      const kept = this.#kept.get(key);
      if (kept !== undefined) known.set(key, { value: kept.value, isStale: !this.#isFresh(key, now_ms) });
    }
    return known;
  }

  #isFresh(key: string, now_ms: number): boolean {
    const kept = this.#kept.get(key);
    return kept !== undefined && now_ms - kept.readAt_ms < this.#fresh_ms;
  }

  #isLeftAlone(key: string, now_ms: number): boolean {
    const failedAt_ms = this.#failedAt_ms.get(key);
    return failedAt_ms !== undefined && now_ms - failedAt_ms < this.#fresh_ms;
  }

  async #within(answer: ReturnType<AskSource<T>>): Promise<Awaited<ReturnType<AskSource<T>>> | null> {
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
