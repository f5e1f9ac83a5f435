import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listAdjustedTransactions } from '../../data/accounts/portfolio-transactions.ts';
import { database } from '../../data/database.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { limitQuery, pageOf, rowsToRead } from '../responses/paging.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { orderFailure } from './order-failure.ts';
import { Transaction, transactionView } from './transaction-schema.ts';

/** GET /v1/core-transactions/adjusted: trades that were taken back or corrected, in the sequence in which that was done. */
export function listAdjustedTransactionsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/core-transactions/adjusted',
      tags: ['account'],
      summary: 'Trades of the caller that were taken back or corrected',
      description: '`cursor` is the last `adjustmentSequence` that the caller has; later adjustments follow.',
      request: { query: z.object({ limit: limitQuery, cursor: wholeNumberOr(0, 0) }) },
      responses: {
        200: {
          description: 'The earliest adjustment first.',
          content: {
            'application/json': { schema: z.object({ data: z.array(Transaction), message: z.literal('ok') }) },
          },
        },
      },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      const { limit, cursor } = c.req.valid('query');
      if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
      const terms = { account: facts.accountId, after: cursor, limit: rowsToRead(limit) };
      const found = await listAdjustedTransactions(database(c.env.DB), terms);
      const page = pageOf(c, found, limit, (last) => String(last.adjustmentPlace));
      return c.json({ data: page.map(transactionView), message: 'ok' as const }, 200);
    },
  );
}
