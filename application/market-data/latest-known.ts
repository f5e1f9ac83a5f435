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

/** The source was not asked: as many calls as it may have were made. */
export interface NoRoom {
  readonly reason: 'no_room';
  readonly retryAfter_ms: number;
}

/** Asks a source for many keys at once; those that it does not have are left out. */
export type AskSource<T> = (
  keys: readonly string[],
) => Promise<Result<ReadonlyMap<string, T>, NoRoom | { readonly reason: string }>>;

type Answer<T> = Awaited<ReturnType<AskSource<T>>>;

/** A call to the source. */
interface Call {
  readonly since_ms: number;
  readonly isBounded: boolean;
  /** Once its answer is known here, whatever it is. */
  readonly heard: Promise<void>;
}

/**
 * What an isolate has heard of a source, by key: asked again once it is older than `fresh_ms`, and shown on as stale while the source does not
 * answer within `wait_ms`. A source that was asked in vain for a key is left alone with it for `fresh_ms`. Who comes while a key is asked for waits for that
 * call; one whose request has ended is waited for no longer than `wait_ms` either.
 */
export class LatestKnown<T> {
  readonly #fresh_ms: number;
  readonly #wait_ms: number;
  readonly #keysMax: number;
  readonly #kept = new Map<string, Kept<T>>();
  readonly #failedAt_ms = new Map<string, number>();
  readonly #underWay = new Map<string, Call>();
  /** Until then there is no room for calls of what is bounded. */
  #roomAt_ms = 0;

  constructor({ fresh_ms, wait_ms, keysMax }: { fresh_ms: number; wait_ms: number; keysMax: number }) {
    this.#fresh_ms = fresh_ms;
    this.#wait_ms = wait_ms;
    this.#keysMax = keysMax;
  }

  /**
   * What is known of these keys; one that the source has never answered is left out. All that have to be asked for are asked for in one call.
   *
   * @param isBounded false where `ask` never finds no room: it does not wait for one that may
   */
  async read(
    keys: readonly string[],
    now_ms: number,
    ask: AskSource<T>,
    isBounded = true,
  ): Promise<ReadonlyMap<string, Known<T>>> {
    const calls = new Set<Promise<void>>();
    const asked: string[] = [];
    for (const key of keys) {
      if (this.#isFresh(key, now_ms) || this.#isLeftAlone(key, now_ms)) continue;
      const call = this.#underWay.get(key);
      const isWaitedFor = call !== undefined && now_ms - call.since_ms < this.#wait_ms;
      if (isWaitedFor && (isBounded || !call.isBounded)) calls.add(call.heard);
      else if (!isBounded || this.waitForRoom_ms(now_ms) === null) asked.push(key);
    }
    if (asked.length > 0) calls.add(this.#ask(asked, now_ms, ask, isBounded));
    await Promise.all([...calls].map((heard) => this.#within(heard)));
    const known = new Map<string, Known<T>>();
    for (const key of keys) {
      const kept = this.#kept.get(key);
      if (kept !== undefined) known.set(key, { value: kept.value, isStale: !this.#isFresh(key, now_ms) });
    }
    return known;
  }

  /** How long the source is not asked for what is bounded, because there was no room; null where it is. */
  waitForRoom_ms(now_ms: number): number | null {
    return now_ms < this.#roomAt_ms ? this.#roomAt_ms - now_ms : null;
  }

  #ask(keys: readonly string[], now_ms: number, ask: AskSource<T>, isBounded: boolean): Promise<void> {
    const heard = this.#within(ask(keys)).then((answer) => {
      for (const key of keys) if (this.#underWay.get(key)?.heard === heard) this.#underWay.delete(key);
      this.#hear(keys, answer, now_ms);
    });
    for (const key of keys) put(this.#underWay, key, { since_ms: now_ms, isBounded, heard }, this.#keysMax);
    return heard;
  }

  #hear(keys: readonly string[], answer: Answer<T> | null, now_ms: number): void {
    if (answer !== null && !answer.ok && isNoRoom(answer.error)) {
      this.#roomAt_ms = now_ms + answer.error.retryAfter_ms;
      return;
    }
    const answered = answer?.ok ? answer.value : new Map<string, T>();
    for (const key of keys) {
      const value = answered.get(key);
      if (value === undefined) {
        put(this.#failedAt_ms, key, now_ms, this.#keysMax);
      } else {
        this.#failedAt_ms.delete(key);
        put(this.#kept, key, { value, readAt_ms: now_ms }, this.#keysMax);
      }
    }
  }

  #isFresh(key: string, now_ms: number): boolean {
    const kept = this.#kept.get(key);
    return kept !== undefined && now_ms - kept.readAt_ms < this.#fresh_ms;
  }

  #isLeftAlone(key: string, now_ms: number): boolean {
    const failedAt_ms = this.#failedAt_ms.get(key);
    return failedAt_ms !== undefined && now_ms - failedAt_ms < this.#fresh_ms;
  }

  async #within<V>(answer: Promise<V>): Promise<V | null> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.#wait_ms);
    });
    // One that is given up on may still fail, and then nobody listens.
    return Promise.race([answer.catch(() => null), late]).finally(() => clearTimeout(timer));
  }
}

function isNoRoom(error: NoRoom | { readonly reason: string }): error is NoRoom {
  return error.reason === 'no_room';
}

/** Of too many the key that was put longest ago goes. */
function put<V>(map: Map<string, V>, key: string, value: V, keysMax: number): void {
  map.delete(key);
  if (map.size >= keysMax) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}
