import { sql } from 'drizzle-orm';
import type { AssetCategory } from '../../domain/assets/asset.ts';
import type { AdjustmentType } from '../../domain/ledger/adjustment-type.ts';
import type { MarketRoute } from '../../domain/markets/market.ts';
import { SIDES, type Side } from '../../domain/orders/order.ts';
import type { Database } from '../database.ts';

/** What an account did in a trade, as it was made and as it stands. Scaled integers. */
export interface ConfirmedFill {
  readonly tradeId: string;
  readonly side: Side;
  readonly orderId: string;
  readonly executedAt: number;
  /** Day in New York, as its midnight of UTC; null where it settled at once. */
  readonly settlesOn: number | null;
  readonly market: string;
  readonly route: MarketRoute;
  readonly assetId: string;
  readonly symbol: string;
  readonly name: string;
  readonly category: AssetCategory;
  readonly currency: string;
  readonly price: number;
  readonly quantity: number;
  readonly notional: number;
  readonly fee: number;
  readonly priceScale: number;
  readonly quantityScale: number;
  readonly quoteScale: number;
  readonly adjustment: AdjustmentType | null;
  readonly adjustedAt: number | null;
  readonly adjustedPrice: number | null;
  readonly adjustedNotional: number | null;
  readonly adjustedFee: number | null;
}

/** The account's sides of a trade: none where it had no part in it, two where both were its own. */
export function listConfirmedFills(db: Database, account: string, tradeId: string): Promise<ConfirmedFill[]> {
  const sides = SIDES.map((side) => {
    const [party, order, fee] = PARTIES[side];
    return sql`
      SELECT x.id AS tradeId, ${side} AS side, x.${order} AS orderId, x.executed_at AS executedAt, x.settles_on AS settlesOn, m.symbol AS market,
             m.route, a.id AS assetId, a.symbol, a.name, a.category, q.symbol AS currency, x.price, x.quantity, x.notional, x.${fee} AS fee,
             m.price_scale AS priceScale, a.scale AS quantityScale, q.scale AS quoteScale, d.type AS adjustment, d.created_at AS adjustedAt,
             d.price AS adjustedPrice, d.notional AS adjustedNotional, d.${fee} AS adjustedFee
      FROM trades x JOIN markets m ON m.symbol = x.book JOIN assets a ON a.id = x.asset_id JOIN assets q ON q.id = x.quote_asset
      LEFT JOIN trade_adjustments d ON d.trade_id = x.id
      WHERE x.id = ${tradeId} AND x.${party} = ${account}`;
  });
  return db.all<ConfirmedFill>(sql.join(sides, sql` UNION ALL `));
}

const PARTIES = {
  buy: [sql.raw('buyer'), sql.raw('buy_order'), sql.raw('buyer_fee')],
  sell: [sql.raw('seller'), sql.raw('sell_order'), sql.raw('seller_fee')],
} as const;
