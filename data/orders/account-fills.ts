import { and, asc, desc, eq, gt, lt, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { AdjustmentType } from '../../domain/ledger/adjustment-type.ts';
import type { Trade } from '../../domain/ledger/records.ts';
import type { Market } from '../../domain/markets/market.ts';
import type { Side } from '../../domain/orders/order.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { markets } from '../schema/markets.ts';
import { tradeAdjustments, trades } from '../schema/orders.ts';

/** One side of a settled trade: what an order of the account did in it. */
export interface OwnFill extends Pick<Trade, 'sequence' | 'price' | 'quantity' | 'executedAt'> {
  /** Of the trade; both sides of a trade within one account are two fills. */
  readonly tradeId: string;
  readonly orderId: string;
  readonly side: Side;
  readonly fee: number;
  readonly liquidity: 'maker' | 'taker';
  /** What the order had filled with it, and had left to fill; null for trades from before books said so. */
  readonly filled: number | null;
  readonly remaining: number | null;
  /** The trade was taken back, or stands at another price. */
  readonly adjustment: {
    readonly type: AdjustmentType;
    readonly price: number;
    readonly fee: number;
    readonly createdAt: number;
    /** Place among all adjustments, in the sequence in which they were made. */
    readonly sequence: number;
  } | null;
  readonly market: Pick<Market, 'symbol' | 'priceScale' | 'quantityScale' | 'quoteScale'>;
}

/** A fill whose trade was taken back or corrected. */
export type AdjustedFill = OwnFill & { readonly adjustment: NonNullable<OwnFill['adjustment']> };

interface FillFilter {
  readonly account: string;
  /** Market symbol, or null for every market. */
  readonly book: string | null;
  /** Trades at most; one gives two fills when both sides are the account's. */
  readonly limit: number;
}

export interface OwnFillQuery extends FillFilter {
  /** Only fills of one order, or null. */
  readonly order: string | null;
  /** Only fills of later trades; of earlier ones where the newest come first. */
  readonly after: string | null;
  readonly isNewestFirst: boolean;
}

export interface AdjustedFillQuery extends FillFilter {
  /** Only what was adjusted later than the adjustment of this sequence. */
  readonly after: number;
}

const quote = alias(assets, 'quote');

/** The account's fills by trade. Each side is read along its index. */
export async function listOwnFills(db: Database, query: OwnFillQuery): Promise<OwnFill[]> {
  const { account, book, order, after, isNewestFirst, limit } = query;
  const side = (of: Side): Promise<OwnFill[]> => {
    const [party, ownOrder] =
      of === 'buy' ? ([trades.buyer, trades.buyOrder] as const) : ([trades.seller, trades.sellOrder] as const);
    const conditions = [
      eq(party, account),
      ...(after === null ? [] : [isNewestFirst ? lt(trades.id, after) : gt(trades.id, after)]),
      ...(book === null ? [] : [eq(trades.book, book)]),
      ...(order === null ? [] : [eq(ownOrder, order)]),
    ];
    return select(db, of, conditions, isNewestFirst ? desc(trades.id) : asc(trades.id), limit);
  };
  const fills = await Promise.all([side('buy'), side('sell')]);
  return firstTrades(fills.flat(), limit, ({ tradeId }) => tradeId, isNewestFirst);
}

/** The account's fills that were taken back or corrected, in the sequence in which that was done. Each side is read along its index. */
export async function listAdjustedFills(db: Database, query: AdjustedFillQuery): Promise<AdjustedFill[]> {
  const { account, book, after, limit } = query;
  const side = async (of: Side): Promise<AdjustedFill[]> => {
    const conditions = [
      eq(of === 'buy' ? tradeAdjustments.buyer : tradeAdjustments.seller, account),
      gt(tradeAdjustments.sequence, after),
      ...(book === null ? [] : [eq(trades.book, book)]),
    ];
    return (await select(db, of, conditions, asc(tradeAdjustments.sequence), limit)).filter(isAdjusted);
  };
  const fills = await Promise.all([side('buy'), side('sell')]);
  return firstTrades(fills.flat(), limit, ({ adjustment }) => adjustment.sequence, false);
}

function isAdjusted(fill: OwnFill): fill is AdjustedFill {
  return fill.adjustment !== null;
}

/** Those of the first `limit` trades, by their place or against it; a trade within one account stays whole. */
function firstTrades<Fill, Place extends string | number>(
  fills: readonly Fill[],
  limit: number,
  placeOf: (fill: Fill) => Place,
  isFalling: boolean,
): Fill[] {
  const isBefore = (a: Place, b: Place) => (isFalling ? a > b : a < b);
  const sorted = fills.toSorted((a, b) => {
    if (isBefore(placeOf(a), placeOf(b))) return -1;
    return isBefore(placeOf(b), placeOf(a)) ? 1 : 0;
  });
  const last = [...new Set(sorted.map(placeOf))][limit - 1];
  return last === undefined ? sorted : sorted.filter((fill) => !isBefore(last, placeOf(fill)));
}

async function select(
  db: Database,
  side: Side,
  conditions: readonly SQL[],
  by: SQL,
  limit: number,
): Promise<OwnFill[]> {
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
    .where(and(...conditions))
    .orderBy(by)
    .limit(limit);
  const buy = side === 'buy';
  return rows.map(({ trade, adjustment, ...market }) => ({
    tradeId: trade.id,
    sequence: trade.sequence,
    orderId: buy ? trade.buyOrder : trade.sellOrder,
    side,
    price: trade.price,
    quantity: trade.quantity,
    fee: buy ? trade.buyerFee : trade.sellerFee,
    liquidity: trade.takerSide === side ? 'taker' : 'maker',
    filled: buy ? trade.buyFilled : trade.sellFilled,
    remaining: buy ? trade.buyRemaining : trade.sellRemaining,
    adjustment:
      adjustment === null
        ? null
        : {
            type: adjustment.type,
            price: adjustment.price,
            fee: buy ? adjustment.buyerFee : adjustment.sellerFee,
            createdAt: adjustment.createdAt,
            sequence: adjustment.sequence,
          },
    executedAt: trade.executedAt,
    market,
  }));
}
