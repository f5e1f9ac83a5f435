import { type AccountRow, findAccount } from '../../data/accounts/accounts.ts';
import type { Database } from '../../data/database.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** An account of the organization: another's is not there. */
export async function ownAccount(
  db: Database,
  { organization, id, field }: { readonly organization: string; readonly id: string; readonly field: string },
): Promise<Result<AccountRow, ApiError>> {
  const account = await findAccount(db, id);
  return account === null || account.boundary || account.owner !== organization
    ? err(apiError('NOT_FOUND', 'no such account', { field }))
    : ok(account);
}
