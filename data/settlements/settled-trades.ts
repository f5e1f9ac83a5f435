import { and, eq, or } from 'drizzle-orm';
import type { AdjustmentRecord, SettledTrade } from '../../domain/settlement/settlement-record.ts';
import type { Database } from '../database.ts';
import { tradeAdjustments, trades } from '../schema/orders.ts';

/** A trade of this account as it has settled, whatever became of it since; null where it has none of this id. */
export async function findTradeOf(db: Database, account: string, id: string): Promise<SettledTrade | null> {
  const row = await db
    .select({
      tradeId: trades.id,
      assetId: trades.assetId,
      currency: trades.quoteAsset,
      quantity: trades.quantity,
      price: trades.price,
      notional: trades.notional,
      buyer: trades.buyer,
      seller: trades.seller,
      executedAt: trades.executedAt,
    })
    .from(trades)
    .where(and(eq(trades.id, id), or(eq(trades.buyer, account), eq(trades.seller, account))))
    .get();
  return row ?? null;
}

/** What was made of a trade since it has settled, as it is recorded; null where it stands as it was. */
export async function findAdjustmentOf(db: Database, tradeId: string): Promise<AdjustmentRecord | null> {
  const row = await db
    .select({
      adjustmentId: tradeAdjustments.id,
      tradeId: tradeAdjustments.tradeId,
      price: tradeAdjustments.price,
      notional: tradeAdjustments.notional,
      adjustedAt: tradeAdjustments.createdAt,
    })
    .from(tradeAdjustments)
    .where(eq(tradeAdjustments.tradeId, tradeId))
    .get();
  return row ?? null;
}
