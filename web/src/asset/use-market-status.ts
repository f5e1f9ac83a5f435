import { useCallback, useEffect, useState } from 'react';
import type { FeedMessage, StatusMessage } from '../../../protocol/feeds/server-message.ts';
import type { Market } from '../api/queries.ts';
import { useTopic } from '../feed/feed.ts';

export interface MarketStatus {
  readonly status: Market['status'];
  readonly reason: StatusMessage['reason'];
  /** Unix milliseconds; null for a halt without an end. */
  readonly until: number | null;
}

/** Whether the market takes orders, as its book says it now; null for an asset without a book of ours. */
export function useMarketStatus(market: Market | null): MarketStatus | null {
  const [told, setTold] = useState<MarketStatus | null>(null);
  const symbol = market?.symbol;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another market has told nothing yet
  useEffect(() => setTold(null), [symbol]);
  const listener = useCallback((message: FeedMessage) => {
    if (message.type === 'status')
      setTold({ status: message.status, reason: message.reason, until: message.halted_until });
  }, []);
  useTopic(symbol === undefined ? null : { channel: 'status', symbol }, listener);
  if (market === null) return null;
  return (
    told ?? {
      status: market.status,
      reason: null,
      until: market.halted_until === null ? null : Number(market.halted_until),
    }
  );
}
