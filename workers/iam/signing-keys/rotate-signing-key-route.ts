import { createRoute, z } from '@hono/zod-openapi';
import { rotateSigningKey } from '../../../application/identity/signing-keys/rotate-signing-key.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actorOf } from '../actor-of.ts';

const Query = z.object({
  /** `at_once` retires every other key: for a key that leaked. Tokens it signed end with it. */
  retire: z.enum(['unused', 'at_once']).default('unused'),
});
const Rotated = z.object({ kid: z.string(), retired: z.array(z.string()) });

/** Adds a signing key, which signs once verifiers can know it, and retires keys whose last token has expired. */
export function rotateSigningKeyRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer', power: 'rotate_signing_keys' }, bucket: 'private', freshFactor: true },
    createRoute({
      method: 'post',
      path: '/v1/signing-keys/rotate',
      summary: 'Add a signing key and retire those that are no longer needed',
      request: { query: Query },
      responses: { 200: envelopeOf('Rotated', Rotated) },
    }),
    async (c) => {
      const rotated = await rotateSigningKey(c.env, actorOf(c), c.req.valid('query').retire);
      if (!rotated.ok) return failure(c, rotated.error);
      const { kid, retired } = rotated.value;
      return c.json(enveloped({ kid, retired: [...retired] }), 200);
    },
  );
}
