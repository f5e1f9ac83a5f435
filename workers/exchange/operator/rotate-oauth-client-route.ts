import { createRoute, z } from '@hono/zod-openapi';
import { rotateOAuthClient } from '../../../application/operator/oauth-clients.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { freshActionOf } from './action-of.ts';
import { ClientWithSecretView, clientWithSecretView } from './oauth-client-schema.ts';
import { OPERATOR_WRITE_UNKEPT, ReasonBody } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

/** POST /v1/operator/oauth-clients/{id}/rotate: another secret, shown once. Repeated, it makes yet another. */
export function rotateOAuthClientRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_UNKEPT,
    createRoute({
      method: 'post',
      path: '/v1/operator/oauth-clients/{id}/rotate',
      tags: ['operator'],
      summary: 'Give a machine client another secret',
      description: 'The last secret ends at once. Tokens that it bought live out their time, two hours at most.',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: ReasonBody } } },
      },
      responses: { 200: envelopeOf('The client.', ClientWithSecretView) },
    }),
    async (c) => {
      const { reason } = c.req.valid('json');
      const action = freshActionOf(c);
      const waits = await weigh(c, { reason }, action);
      if (waits !== null) return failure(c, waits);
      const rotated = await rotateOAuthClient(c.env, c.req.valid('param').id, reason, action);
      return rotated.ok ? c.json(enveloped(clientWithSecretView(rotated.value)), 200) : failure(c, rotated.error);
    },
  );
}
