/** Scopes of the identity provider (X-AAU-01); `offline_access` asks for a refresh token. */
const OIDC_SCOPES = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const;

export type OidcScope = (typeof OIDC_SCOPES)[number];

/**
 * Reads a scope field, joined by spaces or by plus signs, whichever survived form decoding. Null for an unknown scope.
 *
 * @example parseScope('openid+profile') // ['openid', 'profile']
 */
export function parseScope(field: string): readonly OidcScope[] | null {
  const asked = field.split(/[ +]+/).filter((scope) => scope !== '');
  return asked.every(isKnown) ? [...new Set(asked)] : null;
}

function isKnown(scope: string): scope is OidcScope {
  return OIDC_SCOPES.some((known) => known === scope);
}
