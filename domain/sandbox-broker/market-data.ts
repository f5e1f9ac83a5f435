import type { SourceBook, SourceLevel, SourceQuote } from '../broker/market-data-source.ts';
import type { VenueBook } from '../broker/smart-order-router.ts';
import { DAY_MS } from '../calendar/durations.ts';
import { displayedBooks } from './displayed-books.ts';
import type { PriceProcess } from './price-process.ts';
import { decimalOf } from './sandbox-order.ts';
import { lastPrice, printsOf } from './tape.ts';

/** The best protected prices of all venues. */
export interface BestQuote {
  readonly bid: number;
  readonly ask: number;
}

export function bestQuote(books: readonly VenueBook[]): BestQuote {
  let bid = 0;
  let ask = Number.POSITIVE_INFINITY;
  for (const { isProtected, bids, asks } of books) {
    if (!isProtected) continue;
    bid = Math.max(bid, bids[0]?.price ?? 0);
    ask = Math.min(ask, asks[0]?.price ?? Number.POSITIVE_INFINITY);
  }
  return { bid, ask };
}

/** The quote of a moment. The day is that of UTC. */
export function quoteAt(process: PriceProcess, at_ms: number): SourceQuote {
  const dayStart_ms = Math.floor(at_ms / DAY_MS) * DAY_MS;
  const { bid, ask } = bestQuote(displayedBooks(process, at_ms));
  const { open, high, low, close, volume } = printsOf(process, dayStart_ms, at_ms);
  return {
    bid: decimalOf(bid),
    ask: decimalOf(ask),
    last: decimalOf(close),
    open: decimalOf(open),
    high: decimalOf(high),
    low: decimalOf(low),
    prevClose: decimalOf(lastPrice(process, dayStart_ms - 1)),
    volume: decimalOf(volume),
    at_ms,
  };
}

/** What all venues display together, price by price. */
export function bookAt(process: PriceProcess, at_ms: number, levels: number): SourceBook {
  const books = displayedBooks(process, at_ms).filter(({ isProtected }) => isProtected);
  return {
    bids: aggregate(
      books.flatMap(({ bids }) => bids),
      (a, b) => b - a,
      levels,
    ),
    asks: aggregate(
      books.flatMap(({ asks }) => asks),
      (a, b) => a - b,
      levels,
    ),
    at_ms,
  };
}

function aggregate(
  shown: readonly { readonly price: number; readonly quantity: number }[],
  betterFirst: (a: number, b: number) => number,
  levels: number,
): SourceLevel[] {
  const quantities = new Map<number, number>();
  for (const { price, quantity } of shown) quantities.set(price, (quantities.get(price) ?? 0) + quantity);
  return [...quantities]
    .sort(([a], [b]) => betterFirst(a, b))
    .slice(0, levels)
    .map(([price, quantity]) => ({ price: decimalOf(price), quantity: decimalOf(quantity) }));
}
