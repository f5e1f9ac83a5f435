import type { BrokerRefusal, BrokerUnavailable } from '../../../domain/broker/broker-client.ts';
import type { SourceBook, SourceLevel, SourceQuote } from '../../../domain/broker/market-data-source.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { recordOf, unavailable } from '../ask-http.ts';
import { plainDecimal, timeOf, volumeOf } from '../read-values.ts';
import { type AlpacaSettings, askAlpaca, refusalOf } from './alpaca-http.ts';

type Read<T> = Promise<Result<T, BrokerRefusal | BrokerUnavailable>>;

/** The day's quotes, from the snapshots of many symbols in one request. A symbol that never traded, or is none, has none. */
export async function readAlpacaQuotes(
  settings: AlpacaSettings,
  symbols: readonly string[],
): Promise<Result<ReadonlyMap<string, SourceQuote>, BrokerUnavailable>> {
  if (symbols.length === 0) return ok(new Map());
  const address = `${settings.dataUrl}/v2/stocks/snapshots`;
  const answer = await askAlpaca(address, settings, { query: { symbols: symbols.join(',') } });
  if (!answer.ok) return answer;
  const { status, body } = answer.value;
  const snapshots = status === 200 ? recordOf(body) : null;
  if (snapshots === null) return unavailable(`status ${status}`);
  const quotes = new Map<string, SourceQuote>();
  for (const symbol of symbols) {
    const quote = quoteOf(recordOf(snapshots[symbol]) ?? {});
    if (quote !== null) quotes.set(symbol, quote);
  }
  return ok(quotes);
}

function quoteOf(snapshot: Readonly<Record<string, unknown>>): SourceQuote | null {
  const { latestTrade, latestQuote, dailyBar, prevDailyBar } = snapshot;
  const trade = recordOf(latestTrade) ?? {};
  const quote = recordOf(latestQuote) ?? {};
  const day = recordOf(dailyBar) ?? {};
  const last = plainDecimal(trade.p);
  const at_ms = timeOf(trade.t);
  if (last === null || at_ms === null) return null;
  return {
    bid: priceOf(quote.bp),
    ask: priceOf(quote.ap),
    last,
    open: priceOf(day.o),
    high: priceOf(day.h),
    low: priceOf(day.l),
    prevClose: priceOf(recordOf(prevDailyBar)?.c),
    volume: volumeOf(day.v),
    at_ms: Math.max(at_ms, timeOf(quote.t) ?? 0),
  };
}

/** The best bid and offer of the market: the API has no depth. */
export async function readAlpacaBook(settings: AlpacaSettings, symbol: string): Read<SourceBook> {
  const read = await readSnapshot(settings, symbol);
  if (!read.ok) return read;
  const quote = recordOf(read.value.latestQuote) ?? {};
  const at_ms = timeOf(quote.t);
  if (at_ms === null) return unavailable('a snapshot without a quote');
  return ok({ bids: levelOf(quote.bp, quote.bs), asks: levelOf(quote.ap, quote.as), at_ms });
}

async function readSnapshot(settings: AlpacaSettings, symbol: string): Read<Readonly<Record<string, unknown>>> {
  const address = `${settings.dataUrl}/v2/stocks/${encodeURIComponent(symbol)}/snapshot`;
  const answer = await askAlpaca(address, settings);
  if (!answer.ok) return answer;
  const { status, body } = answer.value;
  const snapshot = status === 200 ? recordOf(body) : null;
  if (snapshot !== null) return ok(snapshot);
  if (status !== 400 && status !== 404 && status !== 422) return unavailable(`status ${status}`);
  return err({ reason: 'refused', code: 'unknown_symbol', detail: refusalOf(answer.value).message });
}

/** Zero is a side that nobody quotes. */
function priceOf(value: unknown) {
  const price = plainDecimal(value);
  return price === '0' ? null : price;
}

function levelOf(price: unknown, size: unknown): SourceLevel[] {
  const level = { price: priceOf(price), quantity: plainDecimal(size) };
  if (level.price === null || level.quantity === null) return [];
  return [{ price: level.price, quantity: level.quantity }];
}
