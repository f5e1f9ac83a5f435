import { z } from '@hono/zod-openapi';
import type { AssetLimits } from '../../../application/identity/keys/asset-limits.ts';
import { CASH_SCALE } from '../../../application/identity/keys/create-key.ts';
import type { StoredApiKey } from '../../../data/identity/api-keys.ts';
import { SCOPES } from '../../../domain/identity/principal.ts';
import { endAndUseOnWire } from '../../responses/key-end.ts';

/** An API key as its owner sees it. The secret is shown when it is made, and never again. */
export const KeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    ipAllowlist: z.array(z.string()).nullable(),
    /** Requests per window, where an operator raised them. */
    rateLimits: z
      .object({ public: z.int(), private: z.int(), orders: z.int(), cancels: z.int(), subscriptions: z.int() })
      .partial()
      .nullable(),
    positionLimits: z
      .record(z.string(), z.number())
      .nullable()
      .openapi({ description: 'Largest position by asset id, as `assetId` names it elsewhere.' }),
    /** Largest loss of a UTC day by what was sold, in US dollars. */
    dailyLossMax: z.number().nullable(),
    orderSizeLimits: z.record(z.string(), z.number()).nullable().openapi({ description: 'Largest order by asset id.' }),
    /** Largest notional of the orders placed in a UTC day, in US dollars. */
    dailyNotionalMax: z.number().nullable(),
    /** Markets that it may trade; null for all. */
    symbols: z.array(z.string()).nullable(),
    status: z.enum(['active', 'revoked']),
    createdAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When it ends by itself, by its owner or the maximum of the venue; null for never.' }),
    lastUsedOn: z.iso.date().nullable().openapi({ description: 'The day of its last use, UTC; null for none.' }),
  })
  .openapi('ApiKey');

export const KeyWithSecretSchema = KeySchema.extend({ secret: z.string() }).openapi('ApiKeyWithSecret');

/** Limits per asset in numbers of each asset. */
export interface WireLimits {
  readonly positions: AssetLimits;
  readonly orderSizes: AssetLimits;
}

/** @param limits of the key, turned back into numbers of each asset */
export function keyOnWire(
  key: StoredApiKey,
  limits: WireLimits,
  env: Pick<Env, 'API_KEY_DAYS_MAX'>,
): z.infer<typeof KeySchema> {
  const { id, name, scopes, ipAllowlist, rateLimits, symbols, status, createdAt, revokedAt } = key;
  return {
    id,
    name,
    scopes: [...scopes],
    ipAllowlist: ipAllowlist === null ? null : [...ipAllowlist],
    rateLimits,
    positionLimits: limits.positions,
    dailyLossMax: dollars(key.dailyLossMax),
    orderSizeLimits: limits.orderSizes,
    dailyNotionalMax: dollars(key.dailyNotionalMax),
    symbols: symbols === null ? null : [...symbols],
    status,
    createdAt: new Date(createdAt).toISOString(),
    revokedAt: revokedAt === null ? null : new Date(revokedAt).toISOString(),
    ...endAndUseOnWire(key, env),
  };
}

function dollars(cents: number | null): number | null {
  return cents === null ? null : cents / 10 ** CASH_SCALE;
}
