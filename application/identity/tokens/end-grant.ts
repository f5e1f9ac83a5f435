import { database } from '../../../data/database.ts';
import { revokeGrant } from '../../../data/identity/revocations.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../../domain/identity/token-lifetime.ts';
import { invalidateUser } from '../invalidate-gates.ts';

/** Ends a grant: its refresh tokens and every access token that came of it, at once. */
export async function endGrant(
  { family, userId }: { readonly family: string; readonly userId: string },
  env: Env,
): Promise<void> {
  const now = Date.now();
  await revokeGrant(database(env.DB), family, now, now + ACCESS_TOKEN_LIFETIME_S * 1_000);
  await invalidateUser(env, userId);
}
