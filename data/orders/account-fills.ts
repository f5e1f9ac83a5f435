import { and, asc, eq, gt } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { AdjustmentType } from '../../domain/ledger/adjustment-type.ts';
import type { Trade } from '../../domain/ledger/records.ts';
import type { Market } from '../../domain/markets/market.ts';
import type { Side } from '../../domain/orders/order.ts';
import type { Database } from '../database.ts';
import { assets, markets, tradeAdjustments, trades } from '../schema.ts';

/** One side of a settled trade: what an order of the account did in it. */
export interface OwnFill extends Pick<Trade, 'sequence' | 'price' | 'quantity' | 'executedAt'> {
  /** Of the trade; both sides of a trade within one account are two fills. */
  readonly tradeId: string;
  readonly orderId: string;
  readonly side: Side;
  readonly fee: number;
  readonly liquidity: 'maker' | 'taker';
  /** The trade was taken back, or stands at another price. */
  readonly adjustment: {
    readonly type: AdjustmentType;
    readonly price: number;
    readonly fee: number;
    readonly createdAt: number;
  } | null;
  readonly market: Pick<Market, 'symbol' | 'priceScale' | 'quantityScale' | 'quoteScale'>;
}

export interface OwnFillQuery {
  readonly account: string;
  /** Market symbol, or null for every market. */
  readonly book: string | null;
  /** Only fills of later trades. */
  readonly after: string | null;
  /** Trades at most; one gives two fills when both sides are the account's. */
  readonly limit: number;
}

const quote = alias(assets, 'quote');

/** The account's fills by trade, oldest first. Each side is read along its index. */
export async function listOwnFills(db: Database, query: OwnFillQuery): Promise<OwnFill[]> {
  const [bought, sold] = await Promise.all([select(db, query, 'buy'), select(db, query, 'sell')]);
  const fills = [...bought, ...sold].sort((a, b) => (a.tradeId < b.tradeId ? -1 : a.tradeId > b.tradeId ? 1 : 0));
  const last = [...new Set(fills.map(({ tradeId }) => tradeId))][query.limit - 1];
  return last === undefined ? fills : fills.filter(({ tradeId }) => tradeId <= last);
}

async function select(db: Database, { account, book, after, limit }: OwnFillQuery, side: Side): Promise<OwnFill[]> {
  const buy = side === 'buy';
  const rows = await db
    .select({
      trade: trades,
      adjustment: tradeAdjustments,
      symbol: markets.symbol,
      priceScale: markets.priceScale,
      quantityScale: assets.scale,
      quoteScale: quote.scale,
    })
    .from(trades)
    .innerJoin(markets, eq(markets.symbol, trades.book))
    .innerJoin(assets, eq(assets.id, markets.baseAsset))
    .innerJoin(quote, eq(quote.id, markets.quoteAsset))
    .leftJoin(tradeAdjustments, eq(tradeAdjustments.tradeId, trades.id))
    .where(
      and(
        eq(buy ? trades.buyer : trades.seller, account),
        ...(after === null ? [] : [gt(trades.id, after)]),
        ...(book === null ? [] : [eq(trades.book, book)]),
      ),
    )
    .orderBy(asc(trades.id))
    .limit(limit);
  return rows.map(({ trade, adjustment, ...market }) => ({
    tradeId: trade.id,
    sequence: trade.sequence,
    orderId: buy ? trade.buyOrder : trade.sellOrder,
    side,
    price: trade.price,
    quantity: trade.quantity,
    fee: buy ? trade.buyerFee : trade.sellerFee,
    liquidity: trade.takerSide === side ? 'taker' : 'maker',
    adjustment:
      adjustment === null
        ? null
        : {
            type: adjustment.type,
            price: adjustment.price,
            fee: buy ? adjustment.buyerFee : adjustment.sellerFee,
            createdAt: adjustment.createdAt,
          },
    executedAt: trade.executedAt,
    market,
  }));
}
