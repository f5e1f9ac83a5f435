import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { randomSecret } from '../../../application/identity/random-secret.ts';
import { database } from '../../../data/database.ts';
import { countActiveApiKeys, createApiKeyOfBearer, type StoredApiKey } from '../../../data/identity/api-keys.ts';
import { sealSecret } from '../../../data/identity/sealed-secret.ts';
import { SCOPES } from '../../../domain/identity/principal.ts';
import { isAddressBlock } from '../../../domain/limits/address.ts';
import { toScaled } from '../../../domain/money/scaled.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { CASH_SCALE, KeyWithSecretSchema, keyOnWire } from './key-schema.ts';
import { scaledPositionLimits } from './position-limits.ts';

const ACTIVE_KEYS_MAX = 50;

/** Strict: a limit that is misspelt would be none. */
const Body = z.strictObject({
  name: z.string().min(1).max(100),
  scopes: z.array(z.enum(SCOPES)).min(1).max(2),
  ipAllowlist: z
    .array(z.string().refine(isAddressBlock, 'an IP address or CIDR block'))
    .min(1)
    .max(50)
    .nullable()
    .default(null),
  positionLimits: z
    .record(z.string(), z.number().nonnegative())
    .refine((limits) => Object.keys(limits).length <= 50, 'at most 50 assets')
    .nullable()
    .default(null),
  dailyLossMax: z.number().nonnegative().nullable().default(null),
  orderSizeLimits: z
    .record(z.string(), z.number().nonnegative())
    .refine((limits) => Object.keys(limits).length <= 50, 'at most 50 assets')
    .nullable()
    .default(null),
  dailyNotionalMax: z.number().nonnegative().nullable().default(null),
  symbols: z.array(z.string().min(1).max(64)).min(1).max(100).nullable().default(null),
});

/**
 * Makes an API key for the caller's account and shows its secret, this once. No Idempotency-Key: keeping the answer would keep the
 * secret.
 */
export function createKeyRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'post',
      path: '/v1/keys',
      summary: 'Make an API key; its secret is shown once',
      request: { body: { required: true, content: { 'application/json': { schema: Body } } } },
      responses: {
        201: {
          description: 'Made',
          content: {
            'application/json': { schema: z.object({ data: KeyWithSecretSchema, message: z.literal('ok') }) },
          },
        },
      },
    }),
    async (c) => {
      const { userId, owner, facts } = principalOf(c);
      if (facts === null) return failure(c, apiError('FORBIDDEN', 'only a trading account has API keys'));
      const db = database(c.env.DB);
      const { name, scopes, ipAllowlist, symbols, ...body } = c.req.valid('json');
      const positions = await scaledPositionLimits(db, body.positionLimits);
      if (!positions.ok) return failure(c, positions.error);
      const sizes = await scaledPositionLimits(db, body.orderSizeLimits);
      if (!sizes.ok) return failure(c, sizes.error);
      const loss = toScaled(body.dailyLossMax ?? 0, CASH_SCALE);
      if (!loss.ok)
        return failure(c, apiError('VALIDATION_ERROR', 'dailyLossMax has at most two decimals', loss.error));
      const notional = toScaled(body.dailyNotionalMax ?? 0, CASH_SCALE);
      if (!notional.ok)
        return failure(c, apiError('VALIDATION_ERROR', 'dailyNotionalMax has at most two decimals', notional.error));
      if ((await countActiveApiKeys(db, userId)) >= ACTIVE_KEYS_MAX) {
        return failure(c, apiError('CONFLICT', 'revoke a key first', { activeKeysMax: ACTIVE_KEYS_MAX }));
      }
      const secret = randomSecret();
      const key: StoredApiKey = {
        id: uuidv7(),
        account: facts.accountId,
        userId,
        owner,
        name,
        scopes: [...new Set(scopes)],
        ipAllowlist,
        rateLimits: null,
        positionLimits: positions.limits,
        dailyLossMax: body.dailyLossMax === null ? null : loss.value,
        orderSizeLimits: sizes.limits,
        dailyNotionalMax: body.dailyNotionalMax === null ? null : notional.value,
        symbols,
        createdAt: Date.now(),
        status: 'active',
        revokedAt: null,
      };
      const sealed = await sealSecret(secret, c.env.API_KEY_MASTER_KEY, key.id);
      const issuedAt = c.get('accessToken')?.issuedAt ?? 0;
      if (!(await createApiKeyOfBearer(db, key, sealed, issuedAt)))
        return failure(c, apiError('UNAUTHORIZED', 'the token has been revoked'));
      return c.json(
        {
          data: { ...keyOnWire(key, { positions: body.positionLimits, orderSizes: body.orderSizeLimits }), secret },
          message: 'ok' as const,
        },
        201,
      );
    },
  );
}
