import { readOrderBook } from '../../../application/order-book/read-order-book.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { DEPTH_DEFAULT, DEPTH_MAX } from '../../../protocol/feeds/topic.ts';
import { orderBookResponseOf } from '../../../protocol/rpc/order-book-response-of.ts';
import type { OrderBookRequest, OrderBookResponse } from '../../../protocol/rpc/trading_pb.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { visibleMarket } from '../visible-market.ts';
import { refuse } from './connect-error-of.ts';

/** GetOrderBook, as GET /v1/orderbook/{symbol} does it. */
export async function getOrderBook(
  c: AppContext,
  { symbol, depth = DEPTH_DEFAULT }: OrderBookRequest,
): Promise<OrderBookResponse> {
  checkDepth(depth);
  const visible = await visibleMarket(c, symbol);
  if (!visible.ok) return refuse(visible.error);
  return orderBookResponseOf(await readOrderBook(c.env, visible.value, depth));
}

/** Levels a side (docs/design/feeds.md#topics). */
export function checkDepth(depth: number): void {
  if (depth < 1 || depth > DEPTH_MAX)
    refuse(apiError('VALIDATION_ERROR', `depth is 1 to ${DEPTH_MAX}`, { field: 'depth', max: DEPTH_MAX }));
}
