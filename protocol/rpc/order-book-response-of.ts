import { create } from '@bufbuild/protobuf';
import type { RestOrderBook } from './rest-answers.ts';
import { type OrderBookResponse, OrderBookResponseSchema } from './trading_pb.ts';

/** A book of the order-book profile as OrderBookResponse. */
export function orderBookResponseOf({ symbol, bids, asks, timestamp, sequence }: RestOrderBook): OrderBookResponse {
  return create(OrderBookResponseSchema, {
    symbol,
    bids: [...bids],
    asks: [...asks],
    timestamp: BigInt(timestamp),
    sequence: BigInt(sequence),
  });
}
