import { createRoute, z } from '@hono/zod-openapi';
import { revokeOAuthClient } from '../../../application/operator/oauth-clients.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { ClientView, clientView } from './oauth-client-schema.ts';
import { OPERATOR_WRITE, ReasonBody } from './operator-route.ts';

/** POST /v1/operator/oauth-clients/{id}/revoke: for good. */
export function revokeOAuthClientRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/oauth-clients/{id}/revoke',
      tags: ['operator'],
      summary: 'End an OAuth client and the tokens that came through it',
      description: 'Refresh tokens end at once, access tokens within a minute. There is no way back.',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: ReasonBody } } },
      },
      responses: { 200: envelopeOf('The client.', ClientView) },
    }),
    async (c) => {
      const { reason } = c.req.valid('json');
      const ended = await revokeOAuthClient(c.env, c.req.valid('param').id, reason, actionOf(c));
      return ended.ok ? c.json(enveloped(clientView(ended.value)), 200) : failure(c, ended.error);
    },
  );
}
