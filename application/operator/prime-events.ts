import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { type KeptPrimeEvent, listKeptPrimeEvents, resolvePrimeEvent } from '../../data/prime/prime-events.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** Of one answer: of more, the rest follows once these are seen to. */
const LISTED_MAX = 100;

/** Events of the prime broker that no book took, the oldest first (docs/design/prime.md#the-webhook). */
export function listPrimeEvents(env: Env): Promise<KeptPrimeEvent[]> {
  return listKeptPrimeEvents(database(env.DB), LISTED_MAX);
}

/** Closes one that people have seen to: the audit names it no longer. */
export async function closePrimeEvent(
  env: Env,
  id: string,
  reason: string,
  action: OperatorAction,
): Promise<Result<null, ApiError>> {
  const isResolved = await resolvePrimeEvent(database(env.DB), { id, reason, now: Date.now() }, action);
  return isResolved ? ok(null) : err(apiError('NOT_FOUND', 'no such event waits'));
}
