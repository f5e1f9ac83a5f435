import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** What a read answers while D1 does not show what the ledger has acknowledged (settleBeforeRead), or does not answer at all. */
export function notCurrent(): ApiError {
  return apiError('SERVICE_UNAVAILABLE', 'this cannot be read at the moment; please repeat', {
    reason: 'read_model_behind',
  });
}
