import { createRoute } from '@hono/zod-openapi';
import { makeOAuthClient } from '../../../application/operator/oauth-clients.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { freshActionOf } from './action-of.ts';
import { ClientRequest, ClientWithSecretView, clientWithSecretView } from './oauth-client-schema.ts';
import { OPERATOR_WRITE_UNKEPT } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

/** POST /v1/operator/oauth-clients. No Idempotency-Key: keeping the answer would keep the secret. The id that it states is made once. */
export function createOAuthClientRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_UNKEPT,
    createRoute({
      method: 'post',
      path: '/v1/operator/oauth-clients',
      tags: ['operator'],
      summary: 'Create an OAuth client; its secret is shown once',
      request: { body: { required: true, content: { 'application/json': { schema: ClientRequest } } } },
      responses: { 200: envelopeOf('The client.', ClientWithSecretView) },
    }),
    async (c) => {
      const client = c.req.valid('json');
      const action = freshActionOf(c);
      // Tokens of an application that people sign in through open their whole account.
      const isWeighty = client.kind === 'machine' || client.redirectUris.length > 0;
      const waits = isWeighty ? await weigh(c, client, action) : null;
      if (waits !== null) return failure(c, waits);
      const made = await makeOAuthClient(c.env, client, action);
      return made.ok ? c.json(enveloped(clientWithSecretView(made.value)), 200) : failure(c, made.error);
    },
  );
}
