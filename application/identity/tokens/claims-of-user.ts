import type { UserRow } from '../../../data/identity/users.ts';

/** OpenID Connect Core 5.4: which claims of a person each scope opens. */
export function claimsOfUser(
  user: UserRow | null,
  scope: readonly string[],
): { name?: string; email?: string; phone_number?: string } {
  if (user === null) return {};
  return {
    ...(scope.includes('profile') ? { name: user.name } : {}),
    ...(scope.includes('email') ? { email: user.email } : {}),
    ...(scope.includes('phone') && user.phone !== null ? { phone_number: user.phone } : {}),
  };
}
