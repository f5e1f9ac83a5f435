import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listTransactions } from '../../data/accounts/portfolio-transactions.ts';
import { database } from '../../data/database.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { csvOf } from '../responses/csv.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { limitQuery, pageOf, rowsToRead } from '../responses/paging.ts';
import { CURSOR_WORDS, timeCursorOf, timeCursorQuery, timeCursorText } from '../responses/time-cursor.ts';
import { momentOf, rangeFailure, timeRangeQuery } from '../responses/time-range.ts';
import { orderFailure } from './order-failure.ts';
import { Transaction, transactionView } from './transaction-schema.ts';

/** GET /v1/core-transactions. */
export function listTransactionsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/core-transactions',
      tags: ['account'],
      summary: 'Deposits, withdrawals and trades of the caller, newest first',
      request: {
        query: z.object({
          type: z.enum(['deposit', 'withdrawal', 'trade', 'all']).default('all'),
          ...timeRangeQuery,
          format: z
            .enum(['json', 'csv'])
            .default('json')
            .openapi({ description: '`csv` is a statement: the same rows as text/csv (RFC 4180).' }),
          limit: limitQuery,
          cursor: timeCursorQuery.refine((cursor) => cursor?.startsWith('-') !== true, CURSOR_WORDS),
        }),
      },
      responses: {
        200: {
          description: 'The transactions.',
          content: {
            'application/json': { schema: z.object({ data: z.array(Transaction), message: z.literal('ok') }) },
            'text/csv': { schema: z.string() },
          },
        },
      },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      const { type, from, to, format, limit, cursor } = c.req.valid('query');
      const noRange = rangeFailure({ from, to });
      if (noRange !== null) return failure(c, noRange);
      const before = timeCursorOf(cursor);
      if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
      const found = await listTransactions(database(c.env.DB), {
        account: facts.accountId,
        type,
        from: momentOf(from),
        to: momentOf(to),
        before: before === null ? null : { createdAt: before.at, id: before.id },
        limit: rowsToRead(limit),
      });
      const page = pageOf(c, found, limit, (last) => timeCursorText(last.createdAt, last.id));
      const data = page.map(transactionView);
      if (format === 'csv') return statement(c, data);
      return c.json({ data, message: 'ok' as const }, 200);
    },
  );
}

function statement(c: AppContext, transactions: readonly Transaction[]) {
  const rows = transactions.map((transaction) => COLUMNS.map((name) => transaction[name]));
  return c.body(csvOf(COLUMNS, rows), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="transactions.csv"',
  }) as never;
}

const COLUMNS = [
  'timestamp',
  'id',
  'type',
  'assetId',
  'side',
  'quantity',
  'price',
  'total',
  'fee',
  'status',
  'currency',
  'costBasis',
  'realizedPnl',
  'adjustedAt',
  'settlementDate',
] as const satisfies readonly (keyof Transaction)[];
