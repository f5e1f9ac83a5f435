import type { UserRow } from '../../../data/identity/users.ts';
import { knownMailAddress } from '../../mail/known-mail-address.ts';

interface ClaimsOfUser {
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly phone_number?: string;
}

/**
 * OpenID Connect Core 5.4: which claims of a person each scope opens. The address that they have proved to read is theirs; what an operator or an applicant has typed may be anybody's, and says
 * so (`email_verified`).
 */
export async function claimsOfUser(env: Env, user: UserRow | null, scope: readonly string[]): Promise<ClaimsOfUser> {
  if (user === null) return {};
  return {
    ...(scope.includes('profile') ? { name: user.name } : {}),
    ...(scope.includes('email') ? await emailOf(env, user) : {}),
    ...(scope.includes('phone') && user.phone !== null ? { phone_number: user.phone } : {}),
  };
}

async function emailOf(env: Env, { id, email }: UserRow): Promise<Pick<ClaimsOfUser, 'email' | 'email_verified'>> {
  const proved = await knownMailAddress(env, id);
  return { email: proved ?? email, email_verified: proved !== null };
}
