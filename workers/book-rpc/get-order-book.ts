import { DEPTH_DEFAULT, DEPTH_MAX } from '../../domain/feeds/topic.ts';
import { orderBookResponseOf } from '../../domain/rpc/order-book-response-of.ts';
import type { OrderBookRequest, OrderBookResponse } from '../../domain/rpc/trading_pb.ts';
import { readOrderBook } from '../book/read-order-book.ts';
import { visibleMarket } from '../book/visible-market.ts';
import { apiError } from '../middleware/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { refuse } from './connect-error-of.ts';

/** GetOrderBook, as GET /v1/orderbook/{symbol} does it. */
export async function getOrderBook(
  c: AppContext,
  { symbol, depth = DEPTH_DEFAULT }: OrderBookRequest,
): Promise<OrderBookResponse> {
  checkDepth(depth);
  const visible = await visibleMarket(c, symbol);
  if (!visible.ok) return refuse(visible.error);
  return orderBookResponseOf(await readOrderBook(c.env, visible.market, depth));
}

/** Levels a side: DESIGN 15. */
export function checkDepth(depth: number): void {
  if (depth < 1 || depth > DEPTH_MAX)
    refuse(apiError('VALIDATION_ERROR', `depth is 1 to ${DEPTH_MAX}`, { field: 'depth', max: DEPTH_MAX }));
}
