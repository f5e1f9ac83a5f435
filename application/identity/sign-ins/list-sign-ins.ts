import { database } from '../../../data/database.ts';
import { findOAuthClient } from '../../../data/identity/oauth-clients.ts';
import { listSignIns, type SignInFilter, type SignInRow } from '../../../data/identity/sign-ins.ts';
import { findUser } from '../../../data/identity/users.ts';
import { hasPowerOver } from '../../../domain/identity/powers.ts';
import type { Principal } from '../../../domain/identity/principal.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

/** Entries of a user, or of a client that speaks for nobody: for themselves, and for whoever sees the accounts of their organization. */
export async function signInsOf(
  env: Env,
  principal: Principal,
  filter: SignInFilter,
): Promise<Result<SignInRow[], ApiError>> {
  const db = database(env.DB);
  const { userId } = filter;
  if (userId !== principal.userId) {
    const owner = (await findUser(db, userId))?.owner ?? (await findOAuthClient(db, userId))?.owner ?? null;
    if (owner === null || !hasPowerOver(principal, 'see_accounts', owner))
      return err(apiError('NOT_FOUND', 'no such user'));
  }
  return ok(await listSignIns(db, filter));
}
