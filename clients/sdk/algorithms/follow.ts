import type { FeedConnection } from '../feeds/feed-connection.ts';
import { FollowedBook } from '../feeds/followed-book.ts';
import { OwnAccount } from '../feeds/own-account.ts';
import { type Decimal, fromFeed } from '../numbers/decimal.ts';
import type { AlgorithmState, Level } from './algorithm.ts';
import type { AlgorithmRunner } from './runner.ts';
import { eventOf } from './venue.ts';

/** Levels that an algorithm is told of. */
const DEPTH = 20;

/**
 * Tells a runner what the feed says: its own orders as they change, and the book of its pair while that is fresh. What was missed is read.
 * Returns the way to end that.
 */
export function followWithFeed<S extends AlgorithmState>(runner: AlgorithmRunner<S>, feed: FeedConnection): () => void {
  const account = new OwnAccount(feed, {
    order: ({ client_order_id, status, filled_size, reason }) => {
      if (client_order_id !== null)
        runner.tell(eventOf(client_order_id, { status, filled_size: fromFeed(filled_size), reason }));
    },
    interrupted: () => runner.reread(),
  });
  const followed = new FollowedBook(feed, runner.state.terms.symbol, DEPTH);
  const endWatch = followed.watch(() => {
    if (followed.state !== 'fresh') return;
    const { sequence, bids, asks } = followed.book;
    runner.tell({ type: 'book', sequence, bids: texts(bids), asks: texts(asks), at: Date.now() });
  });
  return () => {
    endWatch();
    followed.stop();
    account.stop();
  };
}

function texts(levels: readonly (readonly [price: number, size: number])[]): Level[] {
  return levels.map(([price, size]): [Decimal, Decimal] => [fromFeed(price), fromFeed(size)]);
}
