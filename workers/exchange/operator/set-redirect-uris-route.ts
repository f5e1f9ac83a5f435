import { createRoute, z } from '@hono/zod-openapi';
import { setRedirectUris } from '../../../application/operator/oauth-clients.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { ClientView, clientView, RedirectUris } from './oauth-client-schema.ts';
import { OPERATOR_WRITE, Reason } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const Body = z
  .strictObject({
    reason: Reason,
    redirectUris: RedirectUris,
    postLogoutRedirectUris: RedirectUris.optional().openapi({
      description: 'Where people may be sent who have signed out through it; left out, it stays as it is.',
    }),
  })
  .openapi('OperatorRedirectUris');

/** PUT /v1/operator/oauth-clients/{id}/redirect-uris: all of them, in place of those before. */
export function setRedirectUrisRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'put',
      path: '/v1/operator/oauth-clients/{id}/redirect-uris',
      tags: ['operator'],
      summary: 'State where an application may be answered when people sign in through it',
      description: 'Whoever may be answered there gets tokens for the whole account of a person who allows it.',
      request: {
        params: z.object({ id: z.string() }),
        body: {
          required: true,
          content: { 'application/json': { schema: Body } },
        },
      },
      responses: { 200: envelopeOf('The client.', ClientView) },
    }),
    async (c) => {
      const change = c.req.valid('json');
      const action = actionOf(c);
      const waits = await weigh(c, change, action);
      if (waits !== null) return failure(c, waits);
      const set = await setRedirectUris(c.env, c.req.valid('param').id, change, action);
      return set.ok ? c.json(enveloped(clientView(set.value)), 200) : failure(c, set.error);
    },
  );
}
