import { tradeOf } from '../../../protocol/rpc/trade-of.ts';
import type { StreamRequest, Trade } from '../../../protocol/rpc/trading_pb.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { followFeed } from './follow-feed.ts';

/** StreamTrades: every trade of one pair, from the call on or after `resume_from`. */
export async function* streamTrades(
  c: AppContext,
  { symbol, resumeFrom }: StreamRequest,
  signal: AbortSignal,
): AsyncGenerator<Trade> {
  const topic = {
    channel: 'trades',
    symbol,
    resumeFrom: resumeFrom === undefined ? null : Number(resumeFrom),
  } as const;
  for await (const trade of followFeed(c, topic, signal)) yield tradeOf(trade);
}
