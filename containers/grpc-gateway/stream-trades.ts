import { tradeOf } from '../../protocol/rpc/trade-of.ts';
import type { StreamRequest, Trade } from '../../protocol/rpc/trading_pb.ts';
import type { MessageStream, StreamCall } from './answer-stream.ts';
import type { Exchange } from './exchange.ts';
import { followTopic } from './follow-topic.ts';
import { translate } from './translate.ts';

/** StreamTrades: every trade of one pair once and in order, from the call on or after `resume_from`. */
export function streamTrades(exchange: Exchange, request: StreamRequest, call: StreamCall): MessageStream<Trade> {
  const resumeFrom = request.resumeFrom === undefined ? null : Number(request.resumeFrom);
  const topic = { channel: 'trades', symbol: request.symbol, resumeFrom } as const;
  return translate(followTopic({ exchange, topic, ...call }), tradeOf);
}
