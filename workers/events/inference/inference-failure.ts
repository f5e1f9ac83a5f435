import {
  type InferenceFailure,
  inferenceError,
  isPassing,
  retryAfterOf,
} from '../../../application/events/inference/inference-failure.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type FailureResponse, failure } from '../../responses/failure.ts';

/** Answers the failure; one that passes says when to come again. */
export function inferenceFailure(c: AppContext, failed: InferenceFailure): FailureResponse {
  if (isPassing(failed)) c.set('retryAfter', retryAfterOf(failed));
  return failure(c, inferenceError(failed));
}
