import type { BrokerRefusal, BrokerUnavailable } from '../../../domain/broker/broker-client.ts';
import type { SourceBar, SourceBarSpan } from '../../../domain/broker/market-data-source.ts';
import type { BarInterval } from '../../../domain/charts/bar-interval.ts';
import { CHART_BARS_MAX } from '../../../domain/charts/chart-window.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { recordOf, unavailable } from '../ask-http.ts';
import { plainDecimal, timeOf, volumeOf } from '../read-values.ts';
import { type AlpacaSettings, askAlpaca, refusalOf } from './alpaca-http.ts';

const TIMEFRAMES: Readonly<Record<BarInterval, string>> = {
  '1m': '1Min',
  '5m': '5Min',
  '15m': '15Min',
  '1h': '1Hour',
  '1d': '1Day',
};

/** Requests for one chart: a page may have fewer bars than are asked for. */
const PAGES_MAX = 5;

/** Bars of a symbol, prices before a split in today's shares. A day begins at midnight in New York. */
export async function readAlpacaBars(
  settings: AlpacaSettings,
  symbol: string,
  { interval, from_ms, to_ms }: SourceBarSpan,
): Promise<Result<readonly SourceBar[], BrokerRefusal | BrokerUnavailable>> {
  const address = `${settings.dataUrl}/v2/stocks/${encodeURIComponent(symbol)}/bars`;
  const query = {
    timeframe: TIMEFRAMES[interval],
    start: new Date(from_ms).toISOString(),
    end: new Date(to_ms).toISOString(),
    limit: String(CHART_BARS_MAX),
    adjustment: 'split',
    sort: 'asc',
  };
  const bars: SourceBar[] = [];
  let token: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await askAlpaca(address, settings, {
      query: token === null ? query : { ...query, page_token: token },
    });
    if (!answer.ok) return answer;
    const { status, body } = answer.value;
    if (status === 400 || status === 404 || status === 422) {
      return err({ reason: 'refused', code: 'unknown_symbol', detail: refusalOf(answer.value).message });
    }
    const { bars: listed, next_page_token: next } = recordOf(body) ?? {};
    // A symbol without any bar in the span has null.
    const read = status === 200 && (listed === null || Array.isArray(listed)) ? (listed ?? []).map(barOf) : null;
    if (read === null || read.includes(null)) return unavailable(`bars that cannot be read, status ${status}`);
    bars.push(...read.filter((bar) => bar !== null));
    token = typeof next === 'string' && next !== '' ? next : null;
    if (token === null) return ok(bars.slice(-CHART_BARS_MAX));
  }
  return unavailable('bars on too many pages');
}

function barOf(value: unknown): SourceBar | null {
  const { t, o, h, l, c, v } = recordOf(value) ?? {};
  const start_ms = timeOf(t);
  const [open, high, low, close] = [o, h, l, c].map(plainDecimal);
  const volume = volumeOf(v);
  if (start_ms === null || !open || !high || !low || !close || !volume) return null;
  return { start_ms, open, high, low, close, volume };
}
