import { useEffect, useState } from 'react';
import { FollowedBook } from '../../../clients/sdk/feeds/followed-book.ts';
import type { LocalBook } from '../../../clients/sdk/feeds/local-book.ts';
import { feed } from '../feed/feed.ts';
import { add, type Decimal, fromFeed } from '../numbers/decimal.ts';

export interface Level {
  readonly price: Decimal;
  readonly size: Decimal;
  /** With all that is better. */
  readonly sum: Decimal;
}

export interface ShownBook {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly sequence: number;
}

const DEPTH = 50;

/** The book of a pair, kept right by its feed; null before its first snapshot. It is drawn once a frame, however fast it changes. */
export function useBook(symbol: string | null, rows: number): ShownBook | null {
  const [shown, setShown] = useState<ShownBook | null>(null);
  useEffect(() => {
    setShown(null);
    if (symbol === null) return undefined;
    let frame = 0;
    const followed = new FollowedBook(feed, symbol, DEPTH);
    followed.watch(() => {
      if (frame !== 0 || !followed.book.isLive) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        setShown(shownOf(followed.book, rows));
      });
    });
    return () => {
      followed.stop();
      cancelAnimationFrame(frame);
    };
  }, [symbol, rows]);
  return shown;
}

function shownOf(book: LocalBook, rows: number): ShownBook {
  return { bids: levels(book.bids, rows), asks: levels(book.asks, rows), sequence: book.sequence };
}

function levels(side: readonly (readonly [number, number])[], rows: number): Level[] {
  let sum: Decimal = '0';
  return side.slice(0, rows).map(([price, size]) => {
    const text = fromFeed(size);
    sum = add(sum, text);
    return { price: fromFeed(price), size: text, sum };
  });
}
