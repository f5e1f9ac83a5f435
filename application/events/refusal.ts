import type { ApiError } from '../../protocol/errors/api-error.ts';
import { type InferenceFailure, inferenceError, isPassing, retryAfterOf } from './inference/inference-failure.ts';

/** Why the events service did not do what it was asked. */
export interface Refusal {
  readonly error: ApiError;
  /** In seconds, where the same may be asked again; null where that helps nobody. */
  readonly retryAfter: number | null;
}

export function refusal(error: ApiError, retryAfter: number | null = null): Refusal {
  return { error, retryAfter };
}

export function refusalOfInference(failure: InferenceFailure): Refusal {
  return refusal(inferenceError(failure), isPassing(failure) ? retryAfterOf(failure) : null);
}
