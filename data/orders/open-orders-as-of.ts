import type { AccountOrder } from '../../domain/orders/account-order.ts';

/** An open order with the scales that its numbers are in. */
interface OpenOrderRow extends AccountOrder {
  readonly priceScale: number;
  readonly quantityScale: number;
  readonly quoteScale: number;
}

interface OpenOrdersAsOf {
  /** The last row of the shard's journal that is in them. */
  readonly seq: number;
  readonly orders: readonly OpenOrderRow[];
}

const PLACE = 'SELECT seq FROM projections WHERE shard = ?1';

const OPEN_ORDERS = `
SELECT o.id, o.book, o.client_order_id AS clientOrderId, o.side, o.type, o.time_in_force AS timeInForce, o.price,
  o.stop_price AS stopPrice, o.quantity, o.filled, o.filled_notional AS filledNotional, o.status, o.code,
  o.expires_at AS expiresAt, o.remaining, m.price_scale AS priceScale, base.scale AS quantityScale, quote.scale AS quoteScale
FROM orders o
JOIN markets m ON m.symbol = o.book
JOIN assets base ON base.id = m.base_asset
JOIN assets quote ON quote.id = m.quote_asset
WHERE o.account = ?1 AND o.open = 1`;

/** Every open order of an account on a book, and the row of the ledger's journal after which they stood like that, read at once. */
export async function openOrdersAsOf(d1: D1Database, shard: string, account: string): Promise<OpenOrdersAsOf> {
  const [places, orders] = await d1.batch([d1.prepare(PLACE).bind(shard), d1.prepare(OPEN_ORDERS).bind(account)]);
  const [place] = (places?.results ?? []) as { seq: number }[];
  return { seq: place?.seq ?? 0, orders: (orders?.results ?? []) as OpenOrderRow[] };
}
