import type { Refusal } from '../../application/events/refusal.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { type FailureResponse, failure } from '../responses/failure.ts';

/** Answers what the service did not do; what helps to ask again says when. */
export function answerRefusal(c: AppContext, { error, retryAfter }: Refusal): FailureResponse {
  if (retryAfter !== null) c.set('retryAfter', retryAfter);
  // The same request may be repeated once there is room.
  if (error.code === 'RATE_LIMIT_EXCEEDED') c.set('outcomeOpen', true);
  return failure(c, error);
}
