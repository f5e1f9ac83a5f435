import type { BrokerRefusal, BrokerUnavailable } from '../../../domain/broker/broker-client.ts';
import type { SourceBar, SourceBarSpan, SourceQuote } from '../../../domain/broker/market-data-source.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import type { BarInterval } from '../../../domain/charts/bar-interval.ts';
import { CHART_BARS_MAX } from '../../../domain/charts/chart-window.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { recordOf, unavailable } from '../ask-http.ts';
import { plainDecimal, timeOf, volumeOf } from '../read-values.ts';
import { askPrime, type PrimeSettings, refused } from './prime-http.ts';
import { productOf } from './prime-order.ts';

const GRANULARITIES: Readonly<Record<BarInterval, string>> = {
  '1m': 'ONE_MINUTE',
  '5m': 'FIVE_MINUTES',
  '15m': 'FIFTEEN_MINUTES',
  '1h': 'ONE_HOUR',
  '1d': 'ONE_DAY',
};

/** Calls for quotes at the same time. */
const CALLS_AT_ONCE = 8;

/** Bars of a coin in dollars, oldest first. */
export async function readPrimeBars(
  settings: PrimeSettings,
  symbol: string,
  { interval, from_ms, to_ms }: SourceBarSpan,
): Promise<Result<readonly SourceBar[], BrokerRefusal | BrokerUnavailable>> {
  const answer = await askPrime(settings, '/candles', {
    query: {
      product_id: productOf(symbol),
      granularity: GRANULARITIES[interval],
      start_time: new Date(from_ms).toISOString(),
      end_time: new Date(to_ms).toISOString(),
    },
  });
  if (!answer.ok) return answer;
  const { status, body } = answer.value;
  if (status === 400 || status === 404) return refused('unknown_symbol', answer.value);
  const { candles } = recordOf(body) ?? {};
  const bars = status === 200 && Array.isArray(candles) ? candles.map(barOf) : null;
  if (bars === null || bars.includes(null)) return unavailable(`bars that cannot be read, status ${status}`);
  const sorted = bars.filter((bar) => bar !== null).sort((a, b) => a.start_ms - b.start_ms);
  return ok(sorted.slice(-CHART_BARS_MAX));
}

/** The day's prices, from its bar: the API has no best bid and offer. A coin that it does not have is left out. */
export async function readPrimeQuotes(
  settings: PrimeSettings,
  symbols: readonly string[],
): Promise<Result<ReadonlyMap<string, SourceQuote>, BrokerUnavailable>> {
  const quotes = new Map<string, SourceQuote>();
  for (let at = 0; at < symbols.length; at += CALLS_AT_ONCE) {
    const now = Date.now();
    const some = symbols.slice(at, at + CALLS_AT_ONCE);
    const span = { interval: '1d', from_ms: now - 2 * DAY_MS, to_ms: now } as const;
    const days = await Promise.all(some.map((symbol) => readPrimeBars(settings, symbol, span)));
    for (const [index, read] of days.entries()) {
      if (!read.ok && read.error.reason === 'unavailable')
        return unavailable(read.error.detail, read.error.retryAfter_ms);
      const quote = read.ok ? quoteOf(read.value, now) : null;
      if (quote !== null) quotes.set(some[index] ?? '', quote);
    }
  }
  return ok(quotes);
}

function quoteOf(days: readonly SourceBar[], now: number): SourceQuote | null {
  const today = days.at(-1);
  if (today === undefined) return null;
  const { open, high, low, close, volume } = today;
  return {
    bid: null,
    ask: null,
    last: close,
    open,
    high,
    low,
    prevClose: days.at(-2)?.close ?? null,
    volume,
    at_ms: now,
  };
}

function barOf(row: unknown): SourceBar | null {
  const { timestamp, ...rest } = recordOf(row) ?? {};
  const start_ms = timeOf(timestamp);
  const [open, high, low, close] = [rest.open, rest.high, rest.low, rest.close].map(plainDecimal);
  const volume = volumeOf(rest.volume);
  if (start_ms === null || !open || !high || !low || !close || !volume) return null;
  return { start_ms, open, high, low, close, volume };
}
