import { type FailedTries, nextTryAt, notBefore } from './retry-schedule.ts';

/** Why a try did not come to an answer that counts. */
export const ATTEMPT_ERRORS = [
  'status',
  'redirect',
  'timeout',
  'unreachable',
  'not_resolved',
  'not_public',
  'not_allowed',
] as const;

export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** What came of one try. */
export interface Attempt {
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  /** Null for a success. */
  readonly error: AttemptError | null;
  /** The beginning of the answer's body where that says the message's id, else its media type. */
  readonly response: string | null;
  /** When the receiver asks to be called again (Retry-After), Unix ms; null or left out where it says nothing. */
  readonly retryAt?: number | null;
}

/** Why an endpoint receives nothing any more. */
export const DISABLED_REASONS = ['owner', 'gone', 'failing', 'overflow'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What becomes of the message at the head, and of its endpoint, after a try. */
export type AfterAttempt =
  | { readonly type: 'delivered' }
  | { readonly type: 'retry'; readonly at: number }
  | { readonly type: 'disable'; readonly reason: 'gone' | 'failing' };

/** HTTP's word for: never come again. */
const GONE = 410;
/** By which a receiver says that it has too much to do (RFC 6585, 4; RFC 9110, 15.6.4). */
const BUSY: readonly (number | null)[] = [429, 503];

/** Until when the receiver asks to be left alone, whatever the message, Unix ms; null where it says nothing of itself. */
export function leftAloneUntil({ status, retryAt }: Attempt): number | null {
  return BUSY.includes(status) ? (retryAt ?? null) : null;
}

/** How an answer counts: only 2xx is a success, and a redirect is followed nowhere. */
export function errorOfStatus(status: number): AttemptError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** @param random of [0, 1) */
export function afterAttempt(attempt: Attempt, failed: FailedTries, now: number, random: number): AfterAttempt {
  if (attempt.error === null) return { type: 'delivered' };
  if (attempt.status === GONE) return { type: 'disable', reason: 'gone' };
  const at = nextTryAt(failed, now, random);
  return at === null
    ? { type: 'disable', reason: 'failing' }
    : { type: 'retry', at: notBefore(at, attempt.retryAt ?? null, failed, now) };
}
