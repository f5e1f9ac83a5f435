/**
 * The Idempotency-Keys of one account, or of a user without one: `getByName(scope)`. Every answer is durable, and every call may be
 * repeated: an exception means that the outcome is unknown, and the same call goes to a fresh stub.
 */
export interface IdempotencyKeysApi {
  /**
   * Claims a key for a request, or says what became of the request that holds it. While that one runs, the call waits for it, for
   * WAIT_MS_MAX at most.
   */
  claim(claim: IdempotencyKeyClaim): Promise<IdempotencyKeyState>;
  /** Keeps the answer for those who repeat the request, unless there is one already. One longer than ANSWER_UNITS_MAX releases the key. */
  answer(holder: IdempotencyKeyHolder, answer: IdempotentAnswer): Promise<void>;
  /** Lets the next repetition run again at once, under the same resource id. */
  release(holder: IdempotencyKeyHolder): Promise<void>;
}

export const WAIT_MS_MAX = 5_000;
/**
 * Longest body that is kept, in UTF-16 units: as UTF-8 three quarters of a megabyte at most, in a row that may have two. A longer answer
 * is made again by the handler, which must find what it did under its resource id anyway, as after a crash.
 */
export const ANSWER_UNITS_MAX = 262_144;

export interface IdempotencyKeyClaim {
  readonly key: string;
  /** SHA-256 of method, path and body, hexadecimal. */
  readonly requestHash: string;
  /** UUIDv7 of this attempt. The first attempt's is the resource id of the key. */
  readonly claimId: string;
}

export interface IdempotencyKeyHolder {
  readonly key: string;
  readonly claimId: string;
  /** What `claim` answered. */
  readonly resourceId: string;
}

export interface IdempotentAnswer {
  readonly status: number;
  readonly body: string;
}

export type IdempotencyKeyState =
  /** This request runs; `resourceId` is the first one's. */
  | { readonly type: 'claimed'; readonly resourceId: string }
  | ({ readonly type: 'answered' } & IdempotentAnswer)
  /** The request that holds the key was still running when the wait was over. */
  | { readonly type: 'in_flight' }
  /** Another request was sent under this key. */
  | { readonly type: 'conflict' }
  /** So many keys are in flight that none can be forgotten for this one. */
  | { readonly type: 'full' };

/**
 * A fresh stub of the object of a scope. After an exception a stub stays broken, so one is made for every call. The binding's type wraps every value in
 * disposables, which plain data never is; the object implements this interface.
 */
export function idempotencyKeysOf(
  env: { readonly IDEMPOTENCY_KEYS: { getByName(name: string): unknown } },
  scope: string,
): IdempotencyKeysApi {
  return env.IDEMPOTENCY_KEYS.getByName(scope) as IdempotencyKeysApi;
}
