import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../../application/ledger/settle-before-read.ts';
import { findAccountHolders } from '../../../data/accounts/account-holders.ts';
import { findAccount, listBalances } from '../../../data/accounts/accounts.ts';
import { database } from '../../../data/database.ts';
import { countOpenOrders } from '../../../data/identity/what-ends.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { notCurrent } from '../../responses/not-current.ts';
import { AccountView, accountView, HolderName, OpenOrdersView } from './account-schema.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

const AccountDetail = AccountView.extend({
  name: HolderName,
  openOrders: OpenOrdersView.openapi({ description: 'What a freeze would cancel.' }),
  balances: z.array(z.object({ assetId: z.string(), symbol: z.string(), available: z.number(), held: z.number() })),
}).openapi('OperatorAccountDetail');

/** GET /v1/operator/accounts/{id}: facts and balances. Another organization's account is not found. */
export function getAccountDetailRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/accounts/{id}',
      tags: ['operator'],
      summary: 'An account with its balances',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('The account.', AccountDetail) },
    }),
    async (c) => {
      const db = database(c.env.DB);
      const account = await findAccount(db, c.req.valid('param').id);
      const owner = readableOwner(c);
      if (account === null || account.boundary || (owner !== null && account.owner !== owner)) {
        return failure(c, apiError('NOT_FOUND', 'account does not exist'));
      }
      if (!(await settleBeforeRead(c.env, account.id))) return failure(c, notCurrent());
      const balances = (await listBalances(db, account.id)).map(({ asset, symbol, scale, available, held }) => ({
        assetId: asset,
        symbol,
        available: fromScaled(available, scale),
        held: fromScaled(held, scale),
      }));
      const [holders, openOrders] = await Promise.all([
        findAccountHolders(db, [account.id]),
        countOpenOrders(db, account.id),
      ]);
      const name = holders.get(account.id)?.name ?? null;
      return c.json(enveloped({ ...accountView(account), name, openOrders, balances }), 200);
    },
  );
}
