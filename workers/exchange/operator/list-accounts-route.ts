import { createRoute, z } from '@hono/zod-openapi';
import { findAccountHolders } from '../../../data/accounts/account-holders.ts';
import { listAccounts } from '../../../data/accounts/accounts.ts';
import { database } from '../../../data/database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { pageOf, rowsToRead } from '../../responses/paging.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { AccountView, accountView, HolderName } from './account-schema.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

const LIMIT_MAX = 1_000;

const ListedAccount = AccountView.extend({ name: HolderName }).openapi('OperatorListedAccount');

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
          frozen: z.enum(['true', 'false']).optional(),
          limit: wholeNumberOr(LIMIT_MAX, 1, LIMIT_MAX),
          cursor: z.string().optional().openapi({ description: 'Id of the last account of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Accounts by id.', z.array(ListedAccount)) },
    }),
    async (c) => {
      const { frozen, limit, cursor } = c.req.valid('query');
      const db = database(c.env.DB);
      const found = await listAccounts(db, {
        owner: readableOwner(c),
        frozen: frozen === undefined ? null : frozen === 'true',
        after: cursor ?? null,
        limit: rowsToRead(limit),
      });
      const page = pageOf(c, found, limit, ({ id }) => id);
      const holders = await findAccountHolders(
        db,
        page.map(({ id }) => id),
      );
      const shown = page.map((account) => ({ ...accountView(account), name: holders.get(account.id)?.name ?? null }));
      return c.json(enveloped(shown), 200);
    },
  );
}
