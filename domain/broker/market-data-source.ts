import type { Result } from '../result.ts';
import type { BrokerRefusal, BrokerUnavailable, Decimal } from './broker-client.ts';

/** Where prices of a rail come from (docs/design/broker.md#market-data). Prices are dollars, quantities shares, both as decimals. */
export interface MarketDataSource {
  quote(symbol: string): Promise<Result<SourceQuote, BrokerRefusal | BrokerUnavailable>>;
  /** @param levels of each side, at most; a source without depth answers the best alone */
  book(symbol: string, levels: number): Promise<Result<SourceBook, BrokerRefusal | BrokerUnavailable>>;
}

/** Null is what the source does not know. */
export interface SourceQuote {
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
  readonly last: Decimal;
  /** Of the day, and the close of the day before. */
  readonly open: Decimal | null;
  readonly high: Decimal | null;
  readonly low: Decimal | null;
  readonly prevClose: Decimal | null;
  readonly volume: Decimal | null;
  /** When the source said so, Unix milliseconds. */
  readonly at_ms: number;
}

export interface SourceLevel {
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** Displayed quantity of all venues together, best prices first. */
export interface SourceBook {
  readonly bids: readonly SourceLevel[];
  readonly asks: readonly SourceLevel[];
  readonly at_ms: number;
}
