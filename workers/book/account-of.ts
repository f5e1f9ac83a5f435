import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';

/** Id of the caller's trading account. A machine client or operator may have none. */
export function accountOf(c: AppContext): Result<string, ApiError> {
  const { facts } = principalOf(c);
  if (facts === null) return err(apiError('FORBIDDEN', 'there is no trading account to this credential'));
  return ok(facts.accountId);
}
