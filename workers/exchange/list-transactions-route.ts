import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listTransactions, type TransactionRow } from '../../data/accounts/portfolio-transactions.ts';
import { database } from '../../data/database.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { csvOf } from '../responses/csv.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { limitQuery, pageOf, rowsToRead } from '../responses/paging.ts';
import { timeCursorOf, timeCursorQuery, timeCursorText } from '../responses/time-cursor.ts';
import { momentOf, timeRangeQuery } from '../responses/time-range.ts';
import { orderFailure } from './order-failure.ts';
import { OrderSide } from './order-schema.ts';

/** X-TXN-01 to X-TXN-04. */
const Transaction = z
  .object({
    id: z.string(),
    type: z.enum(['deposit', 'withdrawal', 'trade']),
    assetId: z.string(),
    side: OrderSide.nullable().openapi({ description: 'Null for deposits and withdrawals.' }),
    quantity: z.number(),
    price: z
      .number()
      .openapi({ description: '1 for deposits and withdrawals of a currency, 0 for those of an asset.' }),
    total: z.number().openapi({ description: 'Price times quantity.' }),
    fee: z.number(),
    currency: z
      .string()
      .nullable()
      .openapi({ description: 'What a trade was paid in; null for others.', example: 'USD' }),
    costBasis: z.number().nullable().openapi({
      description:
        'What the shares of a sale had cost, purchase fees included: first in, first out by lots, on average where the asset has none. Null where that is not known in this currency, and for others.',
    }),
    realizedPnl: z.number().nullable().openapi({
      description: 'Of a sale: total less fee less costBasis; 0 of one that was taken back. Null like costBasis.',
    }),
    status: z.string().openapi({ example: 'completed' }),
    timestamp: z.iso.datetime(),
  })
  .openapi('Transaction');

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
          cursor: timeCursorQuery.refine((cursor) => cursor?.startsWith('-') !== true),
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

function statement(c: AppContext, transactions: readonly z.infer<typeof Transaction>[]) {
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
] as const satisfies readonly (keyof z.infer<typeof Transaction>)[];

function transactionView(row: TransactionRow): z.infer<typeof Transaction> {
  const quantity = fromScaled(row.quantity, row.quantityScale);
  const money = row.type !== 'trade' && row.assetCategory === 'currency';
  return {
    id: row.id,
    type: row.type,
    assetId: row.assetId,
    side: SIDE[row.side ?? 'none'],
    quantity,
    price: money ? 1 : fromScaled(row.price, row.priceScale),
    total: money ? quantity : fromScaled(row.total, row.quoteScale),
    fee: fromScaled(row.fee, row.quoteScale),
    currency: row.currency,
    costBasis: row.costBasis === null ? null : fromScaled(row.costBasis, row.quoteScale),
    realizedPnl: row.realized === null ? null : fromScaled(row.realized, row.quoteScale),
    status: STATUS[row.status] ?? row.status,
    timestamp: new Date(row.createdAt).toISOString(),
  };
}

const SIDE = { buy: 'BUY', sell: 'SELL', none: null } as const;

/** States of a settlement in the words of profile A; those of a transfer are its own. */
const STATUS: Readonly<Record<string, string>> = { SETTLED: 'completed', FAILED: 'failed', REVERSED: 'reversed' };
