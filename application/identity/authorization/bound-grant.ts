import { database } from '../../../data/database.ts';
import { findApiKey } from '../../../data/identity/api-keys.ts';
import {
  type Authorization,
  findAuthorizationOfGrant,
  keepAuthorization,
} from '../../../data/identity/authorizations.ts';
import { findOwnConsent } from '../../../data/identity/client-consents.ts';
import { findOAuthClient } from '../../../data/identity/oauth-clients.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { SESSION_MS } from '../../../domain/identity/session.ts';
import { isInForce } from '../keys/is-in-force.ts';
import type { TokenBinding } from '../tokens/issue-tokens.ts';

/** What a grant by authorization code is remembered beyond the life of the last token that it may have. */
const KEPT_BEYOND_MS = DAY_MS;

/** Until when a grant whose tokens are made now is remembered: what they are bound to must outlive each of them. */
export function grantKeptUntil(now: number): number {
  return now + SESSION_MS + KEPT_BEYOND_MS;
}

/** What tokens of a grant are bound to. A nonce belongs to the first ID token alone (OpenID Connect Core, 12.2). */
export function bindingOf({ audience, keyId, authTime, method }: Authorization, nonce: string | null): TokenBinding {
  return { audience, keyId, nonce, authTime, method };
}

/**
 * What tokens of a grant that goes on are bound to: null for a grant that no code has begun, `ended` where it may not go on, since its consent or key
 * has ended, or less is allowed now.
 */
export async function bindingOfGrant(
  env: Env,
  { family, clientId }: { readonly family: string; readonly clientId: string },
): Promise<TokenBinding | null | 'ended'> {
  const db = database(env.DB);
  const now = Date.now();
  const grant = await findAuthorizationOfGrant(db, family);
  // Clients that no operator has made have no other grants.
  if (grant === null) return (await findOAuthClient(db, clientId)) === null ? 'ended' : null;
  const consent = await findOwnConsent(db, grant.userId, grant.consentId);
  const allowed = consent?.scope.split(' ') ?? [];
  if (!grant.scope.split(' ').every((scope) => allowed.includes(scope))) return 'ended';
  const key = grant.keyId === null ? null : await findApiKey(db, grant.keyId);
  if (grant.keyId !== null && (key === null || !isInForce(env, key, now))) return 'ended';
  await keepAuthorization(db, family, grantKeptUntil(now));
  return bindingOf(grant, null);
}
