import type { MarketDataSource, SourceBook, SourceQuote } from '../../domain/broker/market-data-source.ts';
import { isAtBroker, type Market } from '../../domain/markets/market.ts';
import { brokerOf } from '../../durable-objects/broker/broker-of.ts';
import { type Known, LatestKnown } from './latest-known.ts';

/** As long as a client may take a quote or a book for current. */
const FRESH_MS = 1_000;
/** A reader waits no longer for a source. */
const WAIT_MS = 2_000;
const SYMBOLS_MAX = 1_000;
/** Levels of a side that are asked for, whatever is shown. */
const LEVELS_MAX = 1_000;

const TERMS = { fresh_ms: FRESH_MS, wait_ms: WAIT_MS, keysMax: SYMBOLS_MAX };
const quotes = new LatestKnown<SourceQuote>(TERMS);
const books = new LatestKnown<SourceBook>(TERMS);

interface PricedInstrument {
  readonly asset: { readonly symbol: string };
  readonly market: Market | null;
}

/** Whether prices come from elsewhere than our own books (docs/design/broker.md#market-data): those of a market at the broker do. */
export function hasSource({ market }: PricedInstrument): boolean {
  return market !== null && isAtBroker(market);
}

/** The quote of an asset whose prices come from elsewhere; null where nothing is known. */
export function readSourceQuote(env: Env, { asset: { symbol } }: PricedInstrument): Promise<Known<SourceQuote> | null> {
  return quotes.read(symbol, Date.now(), () => sourceOf(env).quote(symbol));
}

/** The book of an asset whose prices come from elsewhere, with all its levels; null where nothing is known. */
export function readSourceBook(env: Env, { asset: { symbol } }: PricedInstrument): Promise<Known<SourceBook> | null> {
  return books.read(symbol, Date.now(), () => sourceOf(env).book(symbol, LEVELS_MAX));
}

function sourceOf(env: Env): MarketDataSource {
  return brokerOf(env);
}
