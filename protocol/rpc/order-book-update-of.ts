import { create } from '@bufbuild/protobuf';
import type { WireLevel } from '../feeds/checksum.ts';
import type { BookSnapshotMessage, BookUpdateMessage } from '../feeds/server-message.ts';
import { type OrderBookUpdate, OrderBookUpdateSchema } from './trading_pb.ts';

/** A snapshot or an update of the feed as OrderBookUpdate. */
export function orderBookUpdateOf(message: BookSnapshotMessage | BookUpdateMessage): OrderBookUpdate {
  const { symbol, bids, asks, timestamp, sequence, checksum } = message;
  return create(OrderBookUpdateSchema, {
    symbol,
    bids: bids.map(levelOf),
    asks: asks.map(levelOf),
    timestamp: BigInt(timestamp),
    sequence: BigInt(sequence),
    snapshot: message.type === 'orderbook_snapshot',
    checksum,
    ...(message.type === 'orderbook_update' ? { prevSequence: BigInt(message.prev_sequence) } : {}),
  });
}

function levelOf([price, size]: WireLevel): { price: number; size: number } {
  return { price, size };
}
