import { uuidv7 } from 'uuidv7';
import { askIdempotencyKeys } from '../../../application/identity/ask-idempotency-keys.ts';
import { sha256Hex } from '../../../application/identity/sha256-hex.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { IdempotentAnswer } from '../../../durable-objects/idempotency-keys/api.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import { STATUS_OF } from '../../responses/failure.ts';

/**
 * Runs a call that names its order (`client_order_id`) once for the account and 24 h: the same request again is given the first answer, or,
 * while there is none to keep, runs under the same order id. An Idempotency-Key in all but name; another request under that name is another
 * key, and for the ledger to refuse.
 *
 * @param request the whole of what is asked for
 * @param run answers in JSON values
 */
export async function answerOnce<T>(
  c: AppContext,
  request: unknown,
  run: (orderId: string) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  const principal = principalOf(c);
  const scope = principal.facts?.accountId ?? principal.userId;
  const requestHash = await sha256Hex(JSON.stringify(request));
  // No Idempotency-Key has a space.
  const key = `client order ${requestHash}`;
  const claimId = uuidv7();
  const state = await askIdempotencyKeys(c.env, scope, (keys) => keys.claim({ key, requestHash, claimId }));
  if (state?.type === 'answered') return outcomeOf(state);
  if (state?.type !== 'claimed')
    return unavailable('the order cannot be taken now, or is still being placed: repeat the call');

  const holder = { key, claimId, resourceId: state.resourceId };
  // Should it fail, the lease ends by itself.
  const release = () => askIdempotencyKeys(c.env, scope, (keys) => keys.release(holder).then(() => true));
  let outcome: Result<T, ApiError>;
  try {
    outcome = await run(state.resourceId);
  } catch (error) {
    await release();
    throw error;
  }
  const answer = answerOf(outcome);
  if (answer.status >= 500) {
    await release();
    return outcome;
  }
  const kept = await askIdempotencyKeys(c.env, scope, (keys) => keys.answer(holder, answer).then(() => true));
  return kept === null ? unavailable('the answer could not be kept: repeat the call') : outcome;
}

function answerOf<T>(outcome: Result<T, ApiError>): IdempotentAnswer {
  return outcome.ok
    ? { status: 200, body: JSON.stringify(outcome.value) }
    : { status: STATUS_OF[outcome.error.code], body: JSON.stringify(outcome.error) };
}

function outcomeOf<T>({ status, body }: IdempotentAnswer): Result<T, ApiError> {
  return status === 200 ? ok(JSON.parse(body) as T) : err(JSON.parse(body) as ApiError);
}

function unavailable(message: string): Result<never, ApiError> {
  return err(apiError('SERVICE_UNAVAILABLE', message));
}
