import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

/** Why the inference container gave no answer of use. */
export type InferenceFailure =
  /** `details.reason` says what is wrong with the image. */
  | { readonly reason: 'invalid_image'; readonly message: string; readonly details: Details }
  | { readonly reason: 'too_large'; readonly message: string; readonly details: Details }
  | { readonly reason: 'unsupported_media_type'; readonly message: string; readonly details: Details }
  | { readonly reason: 'model_unavailable'; readonly message: string; readonly details: Details }
  | { readonly reason: 'overloaded'; readonly retryAfterSeconds: number }
  /** Not there, or gone while it worked on the image. */
  | { readonly reason: 'unreachable' }
  | { readonly reason: 'timeout' }
  /** It answered what protocol/inference/wire.ts does not allow, or failed of itself. */
  | { readonly reason: 'broken'; readonly told: string };

type Details = Readonly<Record<string, unknown>>;

/** Until a container has started again, or its queue has room. */
const RETRY_AFTER_S_DEFAULT = 2;

/** Whether the same call may succeed a little later. */
export function isPassing({ reason }: InferenceFailure): boolean {
  return reason === 'overloaded' || reason === 'unreachable' || reason === 'timeout' || reason === 'broken';
}

export function retryAfterOf(failed: InferenceFailure): number {
  return failed.reason === 'overloaded' ? failed.retryAfterSeconds : RETRY_AFTER_S_DEFAULT;
}

/** What a client is told of it. */
export function inferenceError(failed: InferenceFailure): ApiError {
  switch (failed.reason) {
    case 'invalid_image':
      return apiError('VALIDATION_ERROR', failed.message, { reason: 'invalid_image', ...failed.details });
    case 'too_large':
      return apiError('PAYLOAD_TOO_LARGE', failed.message, failed.details);
    case 'unsupported_media_type':
      return apiError('UNSUPPORTED_MEDIA_TYPE', failed.message, failed.details);
    case 'model_unavailable':
      return apiError('MODEL_UNAVAILABLE', failed.message, failed.details);
    case 'overloaded':
      return apiError('SERVICE_UNAVAILABLE', 'image analysis is at its limit: try again', { reason: 'overloaded' });
    case 'unreachable':
    case 'timeout':
    case 'broken':
      return apiError('SERVICE_UNAVAILABLE', 'image analysis is not available now: try again', {
        reason: failed.reason === 'timeout' ? 'timeout' : 'unreachable',
      });
  }
}
