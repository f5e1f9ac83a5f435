import { create } from '@bufbuild/protobuf';
import type { TradeMessage } from '../feeds/server-message.ts';
import { type Trade, TradeSchema } from './trading_pb.ts';

/** A trade of the feed as Trade. */
export function tradeOf(message: TradeMessage): Trade {
  const { symbol, price, size, side, timestamp, trade_id: tradeId, sequence } = message;
  return create(TradeSchema, {
    symbol,
    price,
    size,
    side,
    timestamp: BigInt(timestamp),
    tradeId,
    sequence: BigInt(sequence),
  });
}
