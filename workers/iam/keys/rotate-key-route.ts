import { createRoute, z } from '@hono/zod-openapi';
import { findManagedKey } from '../../../application/identity/find-managed-key.ts';
import { invalidateKey } from '../../../application/identity/invalidate-gates.ts';
import { randomSecret } from '../../../application/identity/random-secret.ts';
import { database } from '../../../data/database.ts';
import { replaceApiKeySecret } from '../../../data/identity/api-keys.ts';
import { sealSecret } from '../../../data/identity/sealed-secret.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';

const Rotated = z.object({ data: z.object({ id: z.string(), secret: z.string() }), message: z.literal('ok') });

/** Gives the caller's own key another secret and shows it, this once. The last one ends at once; orders stay. */
export function rotateKeyRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'post',
      path: '/v1/keys/{id}/rotate',
      summary: 'Give a key another secret',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: { description: 'Rotated', content: { 'application/json': { schema: Rotated } } } },
    }),
    async (c) => {
      const principal = principalOf(c);
      const key = await findManagedKey(c.env, principal, c.req.valid('param').id);
      if (key === null || key.userId !== principal.userId) return failure(c, apiError('NOT_FOUND', 'no such key'));
      const secret = randomSecret();
      const sealed = await sealSecret(secret, c.env.API_KEY_MASTER_KEY, key.id);
      if (!(await replaceApiKeySecret(database(c.env.DB), key.id, sealed)))
        return failure(c, apiError('CONFLICT', 'the key is revoked'));
      await invalidateKey(c.env, key.id);
      return c.json({ data: { id: key.id, secret }, message: 'ok' as const }, 200);
    },
  );
}
