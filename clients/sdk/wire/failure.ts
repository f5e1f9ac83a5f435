/** Why a call has no answer of success. `kind` says what to do about it. */
export type Failure =
  /** The exchange has refused it, for good: nothing was done. `code` says why. */
  | (Answered & { readonly kind: 'refused' })
  /** The credential does not hold, or may not do this. */
  | (Answered & { readonly kind: 'unauthorized' })
  /** Still too many calls after waiting as long as the client may: nothing was done. */
  | (Answered & { readonly kind: 'rate_limited'; readonly retryAfterMs: number })
  /** The exchange cannot answer a read now. */
  | (Answered & { readonly kind: 'unavailable' })
  /** No answer came to a read. */
  | { readonly kind: 'no_answer'; readonly message: string }
  /**
   * A change may have been done or not. The same call with this `idempotencyKey` finds out, within 24 hours, where `isRepeatable`; else
   * read what it would have changed. That is so, too, where another request was made under the key: `answer` is IDEMPOTENCY_CONFLICT.
   */
  | {
      readonly kind: 'outcome_unknown';
      readonly message: string;
      readonly idempotencyKey: string;
      readonly isRepeatable: boolean;
      /** The last answer, where one came. */
      readonly answer: Answered | null;
    }
  /** The caller's signal ended a read, or a change that had not been sent. */
  | { readonly kind: 'aborted'; readonly message: string };

export interface Answered {
  readonly status: number;
  /** Of the API; `HTTP_<status>` where the answer has none. */
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
}

/** What every call of the library throws. `failure` is a discriminated union: switch over its `kind`. */
export class ExchangeError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.kind}: ${failure.message}`);
    this.name = 'ExchangeError';
    this.failure = failure;
  }
}

/** Another request was made under the key of this one: which, and what became of it, that answer does not say. */
export const OTHER_REQUEST = 'IDEMPOTENCY_CONFLICT';

/** The failure of whatever was thrown, or null where it is none of this library's. */
export function failureOf(error: unknown): Failure | null {
  return error instanceof ExchangeError ? error.failure : null;
}
