import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';

/** The caller's trading account. A machine client or operator may have none. */
export function accountOf(
  c: AppContext,
): { readonly ok: true; readonly id: string } | { readonly ok: false; readonly error: ApiError } {
  const { facts } = principalOf(c);
  if (facts === null)
    return { ok: false, error: apiError('FORBIDDEN', 'there is no trading account to this credential') };
  return { ok: true, id: facts.accountId };
}
