import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { IdempotencyKeyClaim, IdempotencyKeyState, IdempotentAnswer } from './api.ts';

/** The first answer is given again for 24 h (docs/design/identity.md#idempotency-keys). */
export const KEPT_MS = DAY_MS;
/** A request that has not answered by then was lost with its isolate; a repetition takes its place, under its resource id. */
export const LEASE_MS = 30_000;

/** What is known of a key. */
export interface KeyRecord {
  readonly requestHash: string;
  readonly resourceId: string;
  /** The attempt that holds the key, or held it last. */
  readonly claimId: string;
  /** Unix milliseconds. */
  readonly claimedAt: number;
  readonly released: boolean;
  readonly answer: IdempotentAnswer | null;
}

export type ClaimDecision =
  /** The key is the claim's once that is written down. */
  { readonly type: 'take'; readonly resourceId: string } | Exclude<IdempotencyKeyState, { type: 'full' }>;

/** What a claim finds. `now` is Unix milliseconds. */
export function decideClaim(
  record: KeyRecord | null,
  { requestHash, claimId }: IdempotencyKeyClaim,
  now: number,
): ClaimDecision {
  if (record === null || record.claimedAt < now - KEPT_MS) return { type: 'take', resourceId: claimId };
  if (record.requestHash !== requestHash) return { type: 'conflict' };
  if (record.answer !== null) return { type: 'answered', ...record.answer };
  const { resourceId } = record;
  if (record.released) return { type: 'take', resourceId };
  // The answer to this very claim was lost on its way.
  if (record.claimId === claimId) return { type: 'claimed', resourceId };
  return record.claimedAt > now - LEASE_MS ? { type: 'in_flight' } : { type: 'take', resourceId };
}
