import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { listOAuthClients } from '../../../data/identity/oauth-clients.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { ClientView, clientView } from './oauth-client-schema.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

/** GET /v1/operator/oauth-clients: the organization's clients; an operator of the venue sees every organization's. */
export function listOAuthClientsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/oauth-clients',
      tags: ['operator'],
      summary: 'OAuth clients of the organization, without secrets',
      request: {
        query: z.object({
          limit: limitQuery,
          cursor: z.string().optional().openapi({ description: 'Id of the last client of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Clients by id.', z.array(ClientView)) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const found = await listOAuthClients(database(c.env.DB), {
        owner: readableOwner(c),
        after: cursor ?? null,
        limit: rowsToRead(limit),
      });
      return c.json(enveloped(pageOf(c, found, limit, ({ id }) => id).map(clientView)), 200);
    },
  );
}
