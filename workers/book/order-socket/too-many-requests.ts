import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

/** @param retryAfter seconds */
export function tooManyRequests(retryAfter: number): ApiError {
  return apiError('RATE_LIMIT_EXCEEDED', 'too many requests', { retry_after: retryAfter });
}
