import type { Decimal } from '../broker/broker-client.ts';
import type { SourceQuote } from '../broker/market-data-source.ts';
import { decimalToScaled } from '../money/decimal-text.ts';
import { type DayQuote, dayQuote } from './day-quote.ts';

/** Decimals that a source's prices and volumes are read with; what has more counts as not known. */
export const SOURCE_SCALES = { price: 9, volume: 4 } as const;

/** The day's quote as a source tells it, scaled by SOURCE_SCALES. What the source does not know stands at its last price, or at nothing. */
export function sourceDayQuote(quote: SourceQuote): DayQuote {
  const last = scaled(quote.last) ?? 0;
  const today = {
    bucket: quote.at_ms,
    open: scaled(quote.open) ?? last,
    high: scaled(quote.high) ?? last,
    low: scaled(quote.low) ?? last,
    close: last,
    volume: scaled(quote.volume, SOURCE_SCALES.volume) ?? 0,
  };
  return dayQuote([today], last, scaled(quote.prevClose) ?? last, quote.at_ms);
}

function scaled(decimal: Decimal | null, scale: number = SOURCE_SCALES.price): number | null {
  const read = decimal === null ? null : decimalToScaled(decimal, scale);
  return read?.ok ? read.value : null;
}
