import type { SourceBar, SourceBarSpan, SourceBook, SourceLevel, SourceQuote } from '../broker/market-data-source.ts';
import { DAY_MS } from '../calendar/durations.ts';
import { decimalToScaled, scaledToDecimal } from '../money/decimal-text.ts';
import { barsOf, type EndedBars, lastPrice, printsOf } from '../sandbox-broker/tape.ts';
import {
  PRIME_PRICE_SCALE,
  PRIME_QUANTITY_SCALE,
  type PrimeLevel,
  type PrimeSymbol,
  primeLevels,
} from './prime-book.ts';

/** Of a coin as much changes hands as a thousandth of a share's volume. */
const VOLUME_DIVISOR = 1_000;

/** The quote of a moment's prices. The day is that of UTC. */
export function primeQuoteAt(deal: PrimeSymbol, prices_ms: number, at_ms: number): SourceQuote {
  const dayStart_ms = Math.floor(prices_ms / DAY_MS) * DAY_MS;
  const { open, high, low, close, volume } = printsOf(deal.process, dayStart_ms, prices_ms);
  return {
    bid: priceText(primeLevels(deal, 'sell', prices_ms)[0]?.price ?? close),
    ask: priceText(primeLevels(deal, 'buy', prices_ms)[0]?.price ?? close),
    last: priceText(close),
    open: priceText(open),
    high: priceText(high),
    low: priceText(low),
    prevClose: priceText(lastPrice(deal.process, dayStart_ms - 1)),
    volume: volumeText(volume),
    at_ms,
  };
}

/** Bars of a span up to now. */
export function primeBarsOf(
  { process }: PrimeSymbol,
  span: SourceBarSpan,
  now_ms: number,
  ended: EndedBars,
): SourceBar[] {
  return barsOf(process, span, now_ms, ended).map((bar) => {
    const volume = decimalToScaled(bar.volume, PRIME_PRICE_SCALE);
    return { ...bar, volume: volumeText(volume.ok ? volume.value : 0) };
  });
}

/** What the prime deals at, price by price. */
export function primeBookAt(deal: PrimeSymbol, prices_ms: number, at_ms: number, levels: number): SourceBook {
  const shown = ({ price, quantity }: PrimeLevel): SourceLevel => ({
    price: priceText(price),
    quantity: scaledToDecimal(quantity, PRIME_QUANTITY_SCALE),
  });
  return {
    bids: primeLevels(deal, 'sell', prices_ms).slice(0, levels).map(shown),
    asks: primeLevels(deal, 'buy', prices_ms).slice(0, levels).map(shown),
    at_ms,
  };
}

function priceText(price: number): string {
  return scaledToDecimal(price, PRIME_PRICE_SCALE);
}

/** Round lots come out even. */
function volumeText(shares: number): string {
  return scaledToDecimal(Math.trunc(shares / VOLUME_DIVISOR), PRIME_PRICE_SCALE);
}
