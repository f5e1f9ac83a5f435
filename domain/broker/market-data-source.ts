import type { BarInterval } from '../charts/bar-interval.ts';
import type { Result } from '../result.ts';
import type { BrokerRefusal, BrokerUnavailable, Decimal } from './broker-client.ts';

/** Symbols of one call for quotes. */
export const SOURCE_QUOTES_MAX = 100;

/** Where prices of a rail come from (docs/design/broker.md#market-data). Prices are dollars, quantities shares, both as decimals. */
export interface MarketDataSource {
  /** Calls that it takes in a minute; null where it counts none. */
  readonly callsPerMinute: number | null;
  /** By symbol; what the source does not have is left out. At most SOURCE_QUOTES_MAX symbols. */
  quotes(symbols: readonly string[]): Promise<Result<ReadonlyMap<string, SourceQuote>, BrokerUnavailable>>;
  /** @param levels of each side, at most; a source without depth answers the best alone */
  book(symbol: string, levels: number): Promise<Result<SourceBook, BrokerRefusal | BrokerUnavailable>>;
  /** Oldest first, at most CHART_BARS_MAX; the last one may still change. A bar without trades may be left out. */
  bars(symbol: string, span: SourceBarSpan): Promise<Result<readonly SourceBar[], BrokerRefusal | BrokerUnavailable>>;
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

/** Bars that begin at `from_ms` or later, up to the one that holds `to_ms`. */
export interface SourceBarSpan {
  readonly interval: BarInterval;
  readonly from_ms: number;
  readonly to_ms: number;
}

export interface SourceBar {
  /** Its start, Unix milliseconds; a day begins where the source has it begin. */
  readonly start_ms: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  readonly volume: Decimal;
}
