import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { listApiKeys } from '../../../data/identity/api-keys.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { KeySchema, keyOnWire } from './key-schema.ts';
import { positionLimitsOnWire } from './position-limits.ts';

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
        200: {
          description: 'Keys',
          content: { 'application/json': { schema: z.object({ data: z.array(KeySchema), message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const db = database(c.env.DB);
      const keys = await listApiKeys(db, principalOf(c).userId);
      const limits = await positionLimitsOnWire(
        db,
        keys.flatMap((key) => [key.positionLimits, key.orderSizeLimits]),
      );
      const wireLimits = (i: number) => ({ positions: limits[2 * i] ?? null, orderSizes: limits[2 * i + 1] ?? null });
      return c.json({ data: keys.map((key, i) => keyOnWire(key, wireLimits(i))), message: 'ok' as const }, 200);
    },
  );
}
