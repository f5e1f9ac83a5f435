import {
  type MarketDataSource,
  SOURCE_QUOTES_MAX,
  type SourceBar,
  type SourceBarSpan,
  type SourceBook,
  type SourceQuote,
} from '../../domain/broker/market-data-source.ts';
import type { ShownPrices } from '../../domain/broker/source-budget.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { BAR_LENGTH_MS } from '../../domain/charts/bar-interval.ts';
import { isAtBroker, type Market, type VenueRoute } from '../../domain/markets/market.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { venueOf } from '../../durable-objects/broker/broker-of.ts';
import { type AskSource, type Known, LatestKnown } from './latest-known.ts';
import { withinBudget } from './shown-calls.ts';

/** A source that says nothing now, and has said nothing before, though only because it was asked too often. */
export interface AskedTooOften {
  readonly retryAfter_ms: number;
}

/** As long as a client may take a quote or a book for current. */
const FRESH_MS = 1_000;
/** The last bar of a chart moves with every trade; what is shown may be this old. */
const BARS_FRESH_MS = 5_000;
/** A reader waits no longer for a source. */
const WAIT_MS = 2_000;
/** Symbols of one answer that are asked for. */
const SYMBOLS_MAX = 1_000;
/** Charts that an isolate remembers: one has 5,000 bars at most. */
const CHARTS_MAX = 20;
/** What closed on days that are over does not change; the day that runs may be this old. */
const CLOSES_FRESH_MS = 300_000;
/** Assets whose closes an isolate remembers. */
const CLOSES_MAX = 500;
/** The same for whoever asks: what one has asked for the next one finds. A year, and days without trading before it. */
const CLOSES_SPAN_MS = 380 * DAY_MS;
/** Levels of a side that are asked for, whatever is shown. */
const LEVELS_MAX = 1_000;

const TERMS = { fresh_ms: FRESH_MS, wait_ms: WAIT_MS, keysMax: SYMBOLS_MAX };

/** What an asset closed at on a day that has traded. */
export type SourceClose = Pick<SourceBar, 'start_ms' | 'close'>;

/** What an isolate has heard of one source. */
class Heard {
  readonly quotes = new LatestKnown<SourceQuote>(TERMS);
  readonly books = new LatestKnown<SourceBook>(TERMS);
  /** By themselves: that there is no room for charts and books says nothing of previews. */
  readonly previews = new LatestKnown<SourceBook>(TERMS);
  readonly charts = new LatestKnown<readonly SourceBar[]>({ ...TERMS, fresh_ms: BARS_FRESH_MS, keysMax: CHARTS_MAX });
  readonly closes = new LatestKnown<readonly SourceClose[]>({
    ...TERMS,
    fresh_ms: CLOSES_FRESH_MS,
    keysMax: CLOSES_MAX,
  });
}

/** By the route of the markets: a price of one source is never shown for one of another. */
const HEARD: Readonly<Record<VenueRoute, Heard>> = { broker: new Heard(), prime: new Heard() };
const VENUE_ROUTES = Object.keys(HEARD) as readonly VenueRoute[];

interface PricedInstrument {
  readonly asset: { readonly symbol: string };
  readonly market: Pick<Market, 'route'> | null;
}

/** Whether prices come from elsewhere than our own books (docs/design/broker.md#market-data): those of a market at a broker do. */
export function hasSource({ market }: PricedInstrument): boolean {
  return market !== null && isAtBroker(market);
}

/** The quote around which the collar of an order lies; null where nothing is known. What is shown takes no room from it. */
export async function readCollarQuote(env: Env, instrument: PricedInstrument): Promise<Known<SourceQuote> | null> {
  const { symbol } = instrument.asset;
  const route = routeOf(instrument);
  const ask: AskSource<SourceQuote> = (symbols) => sourceOf(env, route).quotes(symbols);
  return (await HEARD[route].quotes.read([symbol], Date.now(), ask, false)).get(symbol) ?? null;
}

/** Quotes to show, in the order of their assets, in as few calls as their sources allow. Of more than SYMBOLS_MAX nothing is known. */
export async function readSourceQuotes(
  env: Env,
  instruments: readonly PricedInstrument[],
): Promise<(Known<SourceQuote> | null)[]> {
  const asked = instruments.slice(0, SYMBOLS_MAX);
  const known = await Promise.all(VENUE_ROUTES.map((route) => quotesOf(env, route, asked)));
  const byRoute = new Map(VENUE_ROUTES.map((route, at) => [route, known[at]]));
  return instruments.map((instrument) => byRoute.get(routeOf(instrument))?.get(instrument.asset.symbol) ?? null);
}

async function quotesOf(
  env: Env,
  route: VenueRoute,
  instruments: readonly PricedInstrument[],
): Promise<ReadonlyMap<string, Known<SourceQuote>>> {
  const now = Date.now();
  const keys = instruments.filter((instrument) => routeOf(instrument) === route).map(({ asset }) => asset.symbol);
  const calls = Array.from({ length: Math.ceil(keys.length / SOURCE_QUOTES_MAX) }, (_, at) =>
    keys.slice(at * SOURCE_QUOTES_MAX, (at + 1) * SOURCE_QUOTES_MAX),
  );
  const known = await Promise.all(
    calls.map((symbols) =>
      HEARD[route].quotes.read(
        symbols,
        now,
        shownFrom(env, route, 'quotes', (asked) => sourceOf(env, route).quotes(asked)),
      ),
    ),
  );
  return new Map(known.flatMap((some) => [...some]));
}

/** The book of an asset whose prices come from elsewhere, with all its levels; null where nothing is known. */
export async function readSourceBook(
  env: Env,
  instrument: PricedInstrument,
  shown: 'charts' | 'previews' = 'charts',
): Promise<Result<Known<SourceBook> | null, AskedTooOften>> {
  const { symbol } = instrument.asset;
  const route = routeOf(instrument);
  const ask = askFor(symbol, () => sourceOf(env, route).book(symbol, LEVELS_MAX));
  const heard = shown === 'charts' ? HEARD[route].books : HEARD[route].previews;
  return readOne(heard, symbol, shownFrom(env, route, shown, ask));
}

/** What an asset closed at, day by day of a year, oldest first, in units of today; null where its source says nothing now. */
export async function readSourceCloses(
  env: Env,
  instrument: PricedInstrument,
  now_ms: number,
): Promise<readonly SourceClose[] | null> {
  const { symbol } = instrument.asset;
  const route = routeOf(instrument);
  const ask = askFor(symbol, async () => {
    const span = { interval: '1d', from_ms: now_ms - CLOSES_SPAN_MS, to_ms: now_ms } as const;
    const bars = await sourceOf(env, route).bars(symbol, span);
    return bars.ok ? ok(bars.value.map(({ start_ms, close }): SourceClose => ({ start_ms, close }))) : bars;
  });
  const known = await HEARD[route].closes.read([symbol], now_ms, shownFrom(env, route, 'closes', ask));
  return known.get(symbol)?.value ?? null;
}

/** Bars of an asset whose prices come from elsewhere; null where nothing is known. */
export async function readSourceBars(
  env: Env,
  instrument: PricedInstrument,
  span: SourceBarSpan,
): Promise<Result<Known<readonly SourceBar[]> | null, AskedTooOften>> {
  const { symbol } = instrument.asset;
  const route = routeOf(instrument);
  // By the number of bars, so that a chart stays known when its span moves on.
  const length_ms = BAR_LENGTH_MS[span.interval];
  const bars = Math.floor(span.to_ms / length_ms) - Math.floor(span.from_ms / length_ms);
  const key = `${symbol} ${span.interval} ${bars}`;
  const ask = askFor(key, () => sourceOf(env, route).bars(symbol, span));
  return readOne(HEARD[route].charts, key, shownFrom(env, route, 'charts', ask));
}

async function readOne<T>(
  heard: LatestKnown<T>,
  key: string,
  ask: AskSource<T>,
): Promise<Result<Known<T> | null, AskedTooOften>> {
  const now = Date.now();
  const known = (await heard.read([key], now, ask)).get(key) ?? null;
  const retryAfter_ms = known === null ? heard.waitForRoom_ms(now) : null;
  return retryAfter_ms === null ? ok(known) : err({ retryAfter_ms });
}

function shownFrom<T>(env: Env, route: VenueRoute, shown: ShownPrices, ask: AskSource<T>): AskSource<T> {
  return withinBudget(env, { route, shown, callsPerMinute: sourceOf(env, route).callsPerMinute }, ask);
}

/** Of one that has a source. */
function routeOf({ market }: PricedInstrument): VenueRoute {
  return market?.route === 'prime' ? 'prime' : 'broker';
}

function sourceOf(env: Env, route: VenueRoute): MarketDataSource {
  return venueOf(env, route);
}

function askFor<T>(key: string, ask: () => Promise<Result<T, { readonly reason: string }>>): AskSource<T> {
  return async () => {
    const answer = await ask();
    return answer.ok ? ok(new Map([[key, answer.value]])) : answer;
  };
}
