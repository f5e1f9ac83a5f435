import { createRoute, z } from '@hono/zod-openapi';
import { listAccounts } from '../../../data/accounts/accounts.ts';
import { database } from '../../../data/database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { pageOf, rowsToRead } from '../../responses/paging.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { AccountView, accountView } from './account-schema.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

const LIMIT_MAX = 1_000;

/** GET /v1/operator/accounts: the organization's accounts; an operator of the venue sees every organization's. */
export function listAccountsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/accounts',
      tags: ['operator'],
      summary: 'Accounts of the organization',
      request: {
        query: z.object({
          limit: wholeNumberOr(LIMIT_MAX, 1, LIMIT_MAX),
          cursor: z.string().optional().openapi({ description: 'Id of the last account of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Accounts by id.', z.array(AccountView)) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const found = await listAccounts(database(c.env.DB), {
        owner: readableOwner(c),
        after: cursor ?? null,
        limit: rowsToRead(limit),
      });
      const page = pageOf(c, found, limit, ({ id }) => id);
      return c.json(enveloped(page.map(accountView)), 200);
    },
  );
}
