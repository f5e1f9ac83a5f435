import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { FeedMessage } from '../../../protocol/feeds/server-message.ts';
import { fromFeed } from '../numbers/decimal.ts';
import { announce } from '../parts/announce.tsx';
import { useWords } from '../texts/words.tsx';
import { useTopic } from './feed.ts';

const TOPIC = { channel: 'account' };
/** What comes together is read once. */
const TOGETHER_MS = 150;

/** Follows the own account: fills and refusals are said, and what a page shows of orders, fills and balances is read anew. */
export function useOwnAccount(): void {
  const queries = useQueryClient();
  const { t, exact, price } = useWords();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  const listener = useCallback(
    (message: FeedMessage) => {
      if (message.type === 'heartbeat' || message.type === 'subscribed') return;
      if (message.type === 'fill') {
        const side = t(message.side === 'buy' ? 'side.bought' : 'side.sold');
        const facts = {
          side,
          size: exact(fromFeed(message.size)),
          symbol: message.symbol,
          price: price(fromFeed(message.price)),
        };
        announce(t('fill.said', facts));
      } else if (message.type === 'order' && message.status === 'rejected') {
        announce(t('order.rejected_said', { symbol: message.symbol, reason: message.reason ?? '' }));
      }
      timer.current ??= setTimeout(() => {
        timer.current = null;
        void queries.invalidateQueries({ queryKey: ['own'] });
      }, TOGETHER_MS);
    },
    [queries, t, exact, price],
  );
  useTopic(TOPIC, listener);
}
