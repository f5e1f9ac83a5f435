import { and, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { AdjustedTrade } from '../../domain/ledger/transactions.ts';
import type { Market } from '../../domain/markets/market.ts';
import type { DollarRate } from '../../domain/money/dollar-rate.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { markets, rates } from '../schema/markets.ts';
import { orders, tradeAdjustments, trades } from '../schema/orders.ts';

export type TradeAdjustmentRow = Readonly<typeof tradeAdjustments.$inferSelect>;

/** A settled trade with what taking it back needs: its market, its seller's key, and whether it was adjusted already. */
export interface SettledTrade {
  readonly trade: AdjustedTrade;
  readonly market: Market;
  /** API key of the selling order; null without one, and for an order that is archived. */
  readonly sellKey: string | null;
  readonly adjustment: TradeAdjustmentRow | null;
  /** Of its quote asset when it settled; null for dollars, and where none was stated. */
  readonly rate: DollarRate | null;
}

const quote = alias(assets, 'quote');

/** The trade under this id, or null. */
export async function findSettledTrade(db: Database, tradeId: string): Promise<SettledTrade | null> {
  const row = await db
    .select({
      trade: trades,
      market: markets,
      quantityScale: assets.scale,
      tracksLots: assets.tracksLots,
      quoteScale: quote.scale,
      sellKey: orders.keyId,
      adjustment: tradeAdjustments,
      rate: { numerator: rates.numerator, denominator: rates.denominator },
    })
    .from(trades)
    .innerJoin(markets, eq(markets.symbol, trades.book))
    .innerJoin(assets, eq(assets.id, markets.baseAsset))
    .innerJoin(quote, eq(quote.id, markets.quoteAsset))
    .leftJoin(orders, eq(orders.id, trades.sellOrder))
    .leftJoin(tradeAdjustments, eq(tradeAdjustments.tradeId, trades.id))
    .leftJoin(rates, and(eq(rates.asset, trades.quoteAsset), eq(rates.version, trades.rateVersion)))
    .where(eq(trades.id, tradeId))
    .get();
  if (row === undefined) return null;
  const { market, quantityScale, quoteScale, tracksLots, sellKey, adjustment } = row;
  const { book: _, assetId: __, quoteAsset: ___, rateVersion: ____, allowance: _____, settlesOn, ...kept } = row.trade;
  const trade = { ...kept, ...(settlesOn === null ? {} : { settlesOn }) };
  const at = { ...market, quantityScale, quoteScale, tracksLots };
  return { trade, market: at, sellKey, adjustment, rate: row.rate };
}
