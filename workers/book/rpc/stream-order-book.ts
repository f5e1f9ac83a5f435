import { DEPTH_DEFAULT } from '../../../protocol/feeds/topic.ts';
import { orderBookUpdateOf } from '../../../protocol/rpc/order-book-update-of.ts';
import type { OrderBookRequest, OrderBookUpdate } from '../../../protocol/rpc/trading_pb.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { followFeed } from './follow-feed.ts';
import { checkDepth } from './get-order-book.ts';

/** StreamOrderBook: a snapshot, then changed levels. */
export async function* streamOrderBook(
  c: AppContext,
  { symbol, depth = DEPTH_DEFAULT }: OrderBookRequest,
  signal: AbortSignal,
): AsyncGenerator<OrderBookUpdate> {
  checkDepth(depth);
  for await (const message of followFeed(c, { channel: 'orderbook', symbol, depth }, signal))
    yield orderBookUpdateOf(message);
}
