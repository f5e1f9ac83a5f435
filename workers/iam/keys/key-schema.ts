import { z } from '@hono/zod-openapi';
import type { StoredApiKey } from '../../../data/identity/api-keys.ts';

/** An API key as its owner sees it. The secret is shown when it is made, and never again. */
export const KeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(['read', 'trade'])),
    ipAllowlist: z.array(z.string()).nullable(),
    /** Requests per window, where an operator raised them. */
    rateLimits: z.object({ public: z.int(), private: z.int(), orders: z.int() }).partial().nullable(),
    /** Largest position per asset id. */
    positionLimits: z.record(z.string(), z.number()).nullable(),
    /** Largest loss from 00:00 UTC, in US dollars. */
    dailyLossMax: z.number().nullable(),
    status: z.enum(['active', 'revoked']),
    createdAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
  })
  .openapi('ApiKey');

export const KeyWithSecretSchema = KeySchema.extend({ secret: z.string() }).openapi('ApiKeyWithSecret');

/** Quote units of the daily loss limit: US cents. */
export const LOSS_SCALE = 2;

/** @param positionLimits of the key, turned back into numbers of each asset */
export function keyOnWire(
  key: StoredApiKey,
  positionLimits: Readonly<Record<string, number>> | null,
): z.infer<typeof KeySchema> {
  const { id, name, scopes, ipAllowlist, rateLimits, dailyLossMax, status, createdAt, revokedAt } = key;
  return {
    id,
    name,
    scopes: [...scopes],
    ipAllowlist: ipAllowlist === null ? null : [...ipAllowlist],
    rateLimits,
    positionLimits,
    dailyLossMax: dailyLossMax === null ? null : dailyLossMax / 10 ** LOSS_SCALE,
    status,
    createdAt: new Date(createdAt).toISOString(),
    revokedAt: revokedAt === null ? null : new Date(revokedAt).toISOString(),
  };
}
