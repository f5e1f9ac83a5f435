import { createRoute, z } from '@hono/zod-openapi';
import { unscaledLimits } from '../../../application/identity/keys/asset-limits.ts';
import { database } from '../../../data/database.ts';
import { listApiKeys } from '../../../data/identity/api-keys.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { KeySchema, keyOnWire } from './key-schema.ts';

/** The caller's API keys, newest first, without secrets. */
export function listKeysRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/keys',
      summary: 'API keys of the caller',
      responses: {
        200: envelopeOf('Keys', z.array(KeySchema)),
      },
    }),
    async (c) => {
      const db = database(c.env.DB);
      const keys = await listApiKeys(db, principalOf(c).userId);
      const limits = await unscaledLimits(
        db,
        keys.flatMap((key) => [key.positionLimits, key.orderSizeLimits]),
      );
      const wireLimits = (i: number) => ({ positions: limits[2 * i] ?? null, orderSizes: limits[2 * i + 1] ?? null });
      return c.json(enveloped(keys.map((key, i) => keyOnWire(key, wireLimits(i), c.env))), 200);
    },
  );
}
