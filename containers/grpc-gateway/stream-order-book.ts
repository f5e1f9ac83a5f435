import { orderBookUpdateOf } from '../../protocol/rpc/order-book-update-of.ts';
import type { OrderBookRequest, OrderBookUpdate } from '../../protocol/rpc/trading_pb.ts';
import type { MessageStream, StreamCall } from './answer-stream.ts';
import type { Exchange } from './exchange.ts';
import { followTopic } from './follow-topic.ts';
import { translate } from './translate.ts';

/** StreamOrderBook: a snapshot, then changed levels; a snapshot again wherever the feed had to start anew. */
export function streamOrderBook(
  exchange: Exchange,
  { symbol, depth }: OrderBookRequest,
  call: StreamCall,
): MessageStream<OrderBookUpdate> {
  const topic = { channel: 'orderbook', symbol, depth } as const;
  return translate(followTopic({ exchange, topic, ...call }), orderBookUpdateOf);
}
