import { and, desc, eq, lt } from 'drizzle-orm';
import type { AdjustmentType } from '../../domain/ledger/adjustment-type.ts';
import type { Trade } from '../../domain/ledger/records.ts';
import type { Database } from '../database.ts';
import { tradeAdjustments, trades } from '../schema/orders.ts';

/** A public trade: scaled price and quantity, and no word of who traded. */
export interface TradeRecord
  extends Pick<Trade, 'id' | 'sequence' | 'price' | 'quantity' | 'takerSide' | 'executedAt'> {
  /** It was taken back, or stands at another price. */
  readonly adjustment: { readonly type: AdjustmentType; readonly price: number; readonly createdAt: number } | null;
}

/** Trades of a book, newest first; with `before`, only those of a lower sequence. */
export async function listTradesOf(
  db: Database,
  book: string,
  { limit, before }: { readonly limit: number; readonly before: number | null },
): Promise<TradeRecord[]> {
  return db
    .select({
      id: trades.id,
      sequence: trades.sequence,
      price: trades.price,
      quantity: trades.quantity,
      takerSide: trades.takerSide,
      executedAt: trades.executedAt,
      adjustment: {
        type: tradeAdjustments.type,
        price: tradeAdjustments.price,
        createdAt: tradeAdjustments.createdAt,
      },
    })
    .from(trades)
    .leftJoin(tradeAdjustments, eq(tradeAdjustments.tradeId, trades.id))
    .where(before === null ? eq(trades.book, book) : and(eq(trades.book, book), lt(trades.sequence, before)))
    .orderBy(desc(trades.sequence))
    .limit(limit);
}
