import { database } from '../../data/database.ts';
import { findKeyFacts, type KeyFacts } from '../../data/identity/gate-facts.ts';
import { openSecret } from '../../data/identity/sealed-secret.ts';
import { keyDaysMax, keyEnd } from '../../domain/identity/key-end.ts';
import type { CredentialHolder } from './api.ts';
import { type KeySecret, keySecretOf } from './key-secret.ts';

/** An API key ready to be checked against: its secret open, its principal made. */
export interface LoadedKey extends Pick<KeyFacts, 'active' | 'ipAllowlist' | 'rateLimits' | 'usedOn'> {
  /** When it ends by itself, Unix milliseconds; null for never. */
  readonly endsAt: number | null;
  readonly secret: KeySecret;
  readonly principal: CredentialHolder;
}

/** Whether a key may be used now. */
export function isInForce({ active, endsAt }: Pick<LoadedKey, 'active' | 'endsAt'>, now: number): boolean {
  return active && (endsAt === null || endsAt > now);
}

export async function loadKey(env: Env, keyId: string): Promise<LoadedKey | null> {
  const facts = await findKeyFacts(database(env.DB), keyId);
  if (facts === null) return null;
  const { userId, owner, roles, scopes, active, ipAllowlist, rateLimits, usedOn, account } = facts;
  const { positionLimits, dailyLossMax, orderSizeLimits, dailyNotionalMax, symbols } = facts;
  const secret = await keySecretOf(await openSecret(facts.secretCiphertext, env.API_KEY_MASTER_KEY, keyId));
  return {
    active,
    ipAllowlist,
    rateLimits,
    usedOn,
    endsAt: keyEnd(facts.age, keyDaysMax(env.API_KEY_DAYS_MAX)),
    secret,
    principal: {
      kind: 'key',
      userId,
      owner,
      roles,
      scopes,
      keyId,
      tokenIssuedAt: null,
      secretVersion: secret.version,
      positionLimits,
      dailyLossMax,
      orderSizeLimits,
      dailyNotionalMax,
      symbols,
      facts: account,
    },
  };
}
