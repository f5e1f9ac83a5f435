import { z } from '@hono/zod-openapi';
import type { TransactionRow } from '../../data/accounts/portfolio-transactions.ts';
import { dateText } from '../../domain/calendar/date-text.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { realizedProfit } from '../../domain/portfolio/realized-profit.ts';
import { OrderSide } from './order-schema.ts';

/** X-TXN-01 to X-TXN-04. */
export const Transaction = z
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
        'US dollars that the shares of a sale had cost, purchase fees included: first in, first out by lots, on average where the asset has none. Null where that is not known, and for others.',
    }),
    realizedPnl: z.number().nullable().openapi({
      description:
        'US dollars that a sale has realised: total less fee, at the rate of its time, less costBasis; 0 of one that was taken back. Null like costBasis.',
    }),
    status: z.string().openapi({ example: 'completed' }),
    isSettled: z.boolean().openapi({
      description: 'False while the cash of a sale, or the shares of a purchase, wait for `settlementDate`.',
    }),
    settlementDate: z.iso.date().nullable().openapi({
      description: 'Day on which a trade settles, or has settled, where that is not at once; null for others.',
    }),
    timestamp: z.iso.datetime(),
    adjustedAt: z.iso.datetime().nullable().openapi({
      description:
        'When the trade was taken back (`status` busted) or corrected; it shows what it stands at. Null for others.',
    }),
    adjustmentSequence: z.int().nullable().openapi({
      description: 'Place of that: a later one has a higher number. The cursor of `/v1/core-transactions/adjusted`.',
    }),
  })
  .openapi('Transaction');

export type Transaction = z.infer<typeof Transaction>;

export function transactionView(row: TransactionRow): Transaction {
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
    costBasis: row.costBasis === null ? null : fromScaled(row.costBasis, row.cashScale),
    realizedPnl: realizedPnlOf(row),
    status: STATUS[row.status] ?? row.status,
    isSettled: row.isSettled === 1,
    settlementDate: row.settlesOn === null ? null : dateText(row.settlesOn),
    timestamp: new Date(row.createdAt).toISOString(),
    adjustedAt: row.adjustedAt === null ? null : new Date(row.adjustedAt).toISOString(),
    adjustmentSequence: row.adjustmentPlace,
  };
}

function realizedPnlOf(row: TransactionRow): number | null {
  const { total, fee, costBasis: cost, rateNumerator: numerator, rateDenominator: denominator } = row;
  if (cost === null) return null;
  if (row.status === BUSTED) return 0;
  const rate = numerator === null || denominator === null ? null : { numerator, denominator };
  return fromScaled(realizedProfit({ notional: total, fee, cost, rate }), row.cashScale);
}

const SIDE = { buy: 'BUY', sell: 'SELL', none: null } as const;

/** Of a trade that was taken back. */
const BUSTED = 'busted';

/** States of a settlement in the words of profile A; those of a transfer are its own. */
const STATUS: Readonly<Record<string, string>> = {
  PENDING: 'completed',
  SETTLED: 'completed',
  FAILED: 'failed',
  REVERSED: 'reversed',
};
