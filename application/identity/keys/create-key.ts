import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import {
  ACTIVE_KEYS_MAX,
  createApiKeyOfBearer,
  KEYS_PER_DAY_MAX,
  type StoredApiKey,
} from '../../../data/identity/api-keys.ts';
import type { Bearer } from '../../../data/identity/bearer.ts';
import { sealSecret } from '../../../data/identity/sealed-secret.ts';
import { keyDaysMax, keyEndFailure } from '../../../domain/identity/key-end.ts';
import type { Principal, Scope } from '../../../domain/identity/principal.ts';
import { toScaled } from '../../../domain/money/scaled.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { tellNow } from '../../mail/tell-now.ts';
import { randomSecret } from '../random-secret.ts';
import { type AssetLimits, scaledLimits } from './asset-limits.ts';
import { checkSymbols } from './check-symbols.ts';

/** Of the daily limits: US cents. */
export const CASH_SCALE = 2;

/** What the owner of a key wants it to be. Amounts are numbers of their asset, daily limits US dollars; null is no limit. */
export interface KeyTerms {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Addresses or CIDR blocks; null allows any. */
  readonly ipAllowlist: readonly string[] | null;
  readonly positionLimits: AssetLimits;
  readonly orderSizeLimits: AssetLimits;
  readonly dailyLossMax: number | null;
  readonly dailyNotionalMax: number | null;
  /** Markets that it may trade; null for all. */
  readonly symbols: readonly string[] | null;
  /** When it ends by itself, Unix milliseconds; null for no end of its own. */
  readonly expiresAt: number | null;
}

export interface CreatedKey {
  readonly key: StoredApiKey;
  /** Known from here on to its owner alone. */
  readonly secret: string;
}

/**
 * Makes an API key for the caller's trading account.
 *
 * @param bearer by whose token, which may be another's than the account's user: one that a kill switch has ended since makes no key
 */
export async function createKey(
  env: Env,
  { userId, owner, facts }: Pick<Principal, 'userId' | 'owner' | 'facts'>,
  bearer: Bearer,
  { positionLimits, orderSizeLimits, dailyLossMax, dailyNotionalMax, scopes, ...terms }: KeyTerms,
): Promise<Result<CreatedKey, ApiError>> {
  if (facts === null) return err(apiError('FORBIDDEN', 'only a trading account has API keys'));
  const db = database(env.DB);
  const now = Date.now();
  const daysMax = keyDaysMax(env.API_KEY_DAYS_MAX);
  const endFailure = keyEndFailure(terms.expiresAt, daysMax, now);
  if (endFailure !== null) {
    const message = endFailure === 'past' ? 'a key ends in the future' : 'the venue lets no key live so long';
    return err(apiError('VALIDATION_ERROR', message, { field: 'expiresAt', reason: endFailure, daysMax }));
  }
  const positions = await scaledLimits(env, facts, 'positionLimits', positionLimits);
  if (!positions.ok) return positions;
  const sizes = await scaledLimits(env, facts, 'orderSizeLimits', orderSizeLimits);
  if (!sizes.ok) return sizes;
  const loss = centsOf('dailyLossMax', dailyLossMax);
  if (!loss.ok) return loss;
  const notional = centsOf('dailyNotionalMax', dailyNotionalMax);
  if (!notional.ok) return notional;
  const unknown = terms.symbols === null ? null : await checkSymbols(env, facts, terms.symbols);
  if (unknown !== null) return err(unknown);
  const secret = randomSecret();
  const key: StoredApiKey = {
    ...terms,
    id: uuidv7(),
    account: facts.accountId,
    userId,
    owner,
    scopes: [...new Set(scopes)],
    symbols: terms.symbols === null ? null : [...new Set(terms.symbols)],
    rateLimits: null,
    positionLimits: positions.value,
    dailyLossMax: loss.value,
    orderSizeLimits: sizes.value,
    dailyNotionalMax: notional.value,
    createdAt: now,
    secretAt: null,
    usedOn: null,
    status: 'active',
    revokedAt: null,
  };
  const sealed = await sealSecret(secret, env.API_KEY_MASTER_KEY, key.id);
  switch (await createApiKeyOfBearer(db, key, sealed, bearer)) {
    case 'made':
      await tellNow(env, {
        kind: 'key_created',
        source: key.id,
        userId,
        facts: { name: key.name, at: new Date(now).toISOString() },
      });
      return ok({ key, secret });
    case 'token_ended':
      return err(apiError('UNAUTHORIZED', 'the token has been revoked'));
    case 'taken_back':
      return err(apiError('CONFLICT', 'the account is being taken back from somebody else', { reason: 'taken_back' }));
    case 'too_many':
      return err(apiError('CONFLICT', 'revoke a key first, or make it tomorrow', KEYS_MAX));
  }
}

const KEYS_MAX = { activeKeysMax: ACTIVE_KEYS_MAX, keysPerDayMax: KEYS_PER_DAY_MAX };

function centsOf(field: string, dollars: number | null): Result<number | null, ApiError> {
  if (dollars === null) return ok(null);
  const cents = toScaled(dollars, CASH_SCALE);
  return cents.ok
    ? cents
    : err(apiError('VALIDATION_ERROR', `${field} has at most two decimals`, { field, ...cents.error }));
}
