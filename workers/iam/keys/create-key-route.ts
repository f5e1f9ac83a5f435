import { createRoute, z } from '@hono/zod-openapi';
import { unscaledLimits } from '../../../application/identity/keys/asset-limits.ts';
import { createKey } from '../../../application/identity/keys/create-key.ts';
import { database } from '../../../data/database.ts';
import { SCOPES } from '../../../domain/identity/principal.ts';
import { isAddressBlock } from '../../../domain/limits/address.ts';
import { bearerOf, principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { KeyWithSecretSchema, keyOnWire } from './key-schema.ts';

/** Strict: a limit that is misspelt would be none. */
const Body = z.strictObject({
  name: lineOfText(100),
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
  expiresAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .openapi({ description: 'When the key ends by itself; the venue may set a maximum.' }),
});

/**
 * Makes an API key for the caller's account and shows its secret, this once. No Idempotency-Key: keeping the answer would keep the
 * secret.
 */
export function createKeyRoute(iam: Profile): void {
  registerRoute(
    iam,
    {
      access: { credential: 'bearer' },
      freshFactor: true,
      bucket: 'private',
      errors: ['ASSET_NOT_FOUND', 'CONFLICT', 'INVALID_SYMBOL', 'SERVICE_UNAVAILABLE'],
    },
    createRoute({
      method: 'post',
      path: '/v1/keys',
      summary: 'Make an API key; its secret is shown once',
      request: { body: { required: true, content: { 'application/json': { schema: Body } } } },
      responses: {
        201: envelopeOf('Made', KeyWithSecretSchema),
      },
    }),
    async (c) => {
      const { expiresAt, ...limited } = c.req.valid('json');
      const terms = { ...limited, expiresAt: expiresAt === null ? null : Date.parse(expiresAt) };
      const created = await createKey(c.env, principalOf(c), bearerOf(c), terms);
      if (!created.ok) return failure(c, created.error);
      const { key, secret } = created.value;
      const kept = [key.positionLimits, key.orderSizeLimits];
      const [positions = null, orderSizes = null] = await unscaledLimits(database(c.env.DB), kept);
      return c.json(enveloped({ ...keyOnWire(key, { positions, orderSizes }, c.env), secret }), 201);
    },
  );
}
