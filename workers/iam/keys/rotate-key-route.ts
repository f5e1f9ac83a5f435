import { createRoute, z } from '@hono/zod-openapi';
import { rotateKey } from '../../../application/identity/keys/rotate-key.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actorOf } from '../actor-of.ts';

const Rotated = z.object({ id: z.string(), secret: z.string() });

/** Gives the caller's own key another secret and shows it, this once. The last one ends at once; orders stay. */
export function rotateKeyRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private', freshFactor: true, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/keys/{id}/rotate',
      summary: 'Give a key another secret',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('Rotated', Rotated) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const secret = await rotateKey(c.env, actorOf(c), id);
      return secret.ok ? c.json(enveloped({ id, secret: secret.value }), 200) : failure(c, secret.error);
    },
  );
}
