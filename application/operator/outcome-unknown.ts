import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** The ledger did not answer: what was asked for may have been done. */
export function outcomeUnknown(details: ApiError['details'] = {}): ApiError {
  const message = 'no answer from the ledger; repeat with the same Idempotency-Key to learn the outcome';
  return apiError('SERVICE_UNAVAILABLE', message, details);
}
