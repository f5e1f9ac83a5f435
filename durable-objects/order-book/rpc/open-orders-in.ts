import { leftOf } from '../../../domain/orders/remaining-of.ts';
import type { LedgerOrder } from '../admission/ledger-order.ts';
import type { BookState } from '../cycle/book-state.ts';
import type { LiveOrder } from '../engine/engine.ts';
import type { OpenOrder, OpenOrders, OpenOrdersQuery } from './commands.ts';

/** The open orders of an account in a book, by falling id. Unless one is named, this looks through all orders of the book. */
export function openOrdersIn(
  { engine, orders, market }: Pick<BookState, 'engine' | 'orders' | 'market'>,
  account: string,
  { orderId, statuses, before, limit }: OpenOrdersQuery,
): OpenOrders {
  const ids = orderId === null ? engine.ordersOf(account) : [orderId];
  const wanted = before === null ? ids : ids.filter((id) => id < before);
  const found: OpenOrder[] = [];
  for (const id of wanted.sort((a, b) => (a < b ? 1 : -1))) {
    if (found.length === limit) break;
    const order = orders.get(id);
    const live = engine.order(id);
    if (order === undefined || live === undefined || order.account !== account) continue;
    if (statuses === null || statuses.includes(order.status)) found.push(openOrder(order, live));
  }
  const { symbol, baseAsset, quoteAsset, priceScale, quantityScale, quoteScale } = market;
  return { market: { symbol, baseAsset, quoteAsset, priceScale, quantityScale, quoteScale }, orders: found };
}

function openOrder(order: LedgerOrder, live: LiveOrder): OpenOrder {
  return {
    orderId: order.orderId,
    account: order.account,
    keyId: live.keyId,
    side: order.side,
    type: live.orderType,
    timeInForce: live.timeInForce,
    status: order.status,
    quantity: order.quantity,
    price: order.price,
    stopPrice: live.stopPrice === 0 ? null : live.stopPrice,
    expiresAt: live.expiresAt === 0 ? null : live.expiresAt,
    filled: order.filled,
    filledNotional: order.filledNotional,
    remaining: leftOf(order),
    fee: order.fee,
    reserve: order.reserve,
    allowanceAsset: order.allowanceAsset,
    allowance: order.allowance,
    positionAsset: order.positionAsset,
    position: order.position,
    restricted: order.restricted,
    code: order.code,
    updatedAt: order.updatedAt,
    ...(order.isNonBinding === true ? { preIpo: true } : {}),
  };
}
