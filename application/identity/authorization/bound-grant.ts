import { database } from '../../../data/database.ts';
import { findApiKey } from '../../../data/identity/api-keys.ts';
import {
  type Authorization,
  findAuthorizationOfGrant,
  keepAuthorization,
} from '../../../data/identity/authorizations.ts';
import { findOwnConsent } from '../../../data/identity/client-consents.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { SESSION_MS } from '../../../domain/identity/session.ts';
import type { TokenBinding } from '../tokens/issue-tokens.ts';

/** What a grant by authorization code is remembered beyond the life of the last token that it may have. */
const KEPT_BEYOND_MS = DAY_MS;

/** Until when a grant whose tokens are made now is remembered: what they are bound to must outlive each of them. */
export function grantKeptUntil(now: number): number {
  return now + SESSION_MS + KEPT_BEYOND_MS;
}

/** What tokens of a grant are bound to. A nonce belongs to the first ID token alone (OpenID Connect Core, 12.2). */
export function bindingOf({ audience, keyId, authTime }: Authorization, nonce: string | null): TokenBinding {
  return { audience, keyId, nonce, authTime };
}

/**
 * What tokens of a grant that goes on are bound to: null for a grant that no code has begun, `ended` where it may not go on, since its consent or key
 * has ended, or another resource is asked for.
 */
export async function bindingOfGrant(
  env: Env,
  family: string,
  resource: string | undefined,
): Promise<TokenBinding | null | 'ended'> {
  const db = database(env.DB);
  const grant = await findAuthorizationOfGrant(db, family);
  if (grant === null) return null;
  if (resource !== undefined && resource !== grant.resource) return 'ended';
  if ((await findOwnConsent(db, grant.userId, grant.consentId)) === null) return 'ended';
  if (grant.keyId !== null && (await findApiKey(db, grant.keyId))?.status !== 'active') return 'ended';
  await keepAuthorization(db, family, grantKeptUntil(Date.now()));
  return bindingOf(grant, null);
}
