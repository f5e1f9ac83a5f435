import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../data/database.ts';
import { type DayStatistics, hourlyStatistics } from '../../data/markets/day-statistics.ts';
import { type ListedMarket, listListedMarkets } from '../../data/markets/listed-markets.ts';
import { seesUnsolicited } from '../../domain/accreditation/sees-unsolicited.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { rounded } from '../../domain/portfolio/average-price.ts';
import { optionalPrincipalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { pageOf, rowsToRead } from '../responses/paging.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { jsonOf } from '../responses/wire.ts';

const LIMIT_MAX = 1_000;
/** For which one answer is everybody's. */
const KEPT_SECONDS = 5;

const MarketSummary = z
  .object({
    symbol: z.string(),
    last: z.number().nullable().openapi({ description: 'Last trade; null before the first.' }),
    volume24h: z
      .number()
      .openapi({ description: 'Base quantity since the full hour of 24 hours ago: of 24 to 25 hours.' }),
    quote_volume24h: z.number(),
    change24h: z.number().nullable().openapi({ description: 'Last price less that at this full hour.' }),
    change_percent24h: z.number().nullable(),
    high24h: z.number().nullable(),
    low24h: z.number().nullable(),
  })
  .openapi('MarketSummary');

const Tickers = z
  .object({ tickers: z.array(MarketSummary), timestamp: z.int().openapi({ description: 'Unix milliseconds.' }) })
  .openapi('Tickers');

/** GET /v1/tickers. */
export function listTickersRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public', edge: { seconds: KEPT_SECONDS } },
    createRoute({
      method: 'get',
      path: '/v1/tickers',
      summary: 'Last trade and the last 24 hours of all pairs',
      description: `By symbol. What has settled, up to ${KEPT_SECONDS} s old. Best prices are told by \`GET /v1/ticker/{symbol}\`, which asks the book itself.`,
      request: {
        query: z.object({
          limit: wholeNumberOr(LIMIT_MAX, 1, LIMIT_MAX),
          cursor: z.string().max(200).default(''),
        }),
      },
      responses: { 200: jsonOf('The tickers; the next page is in the Link header.', Tickers) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const now = Date.now();
      const db = database(c.env.DB);
      const found = await listListedMarkets(db, {
        after: cursor,
        limit: rowsToRead(limit),
        unsolicited: seesUnsolicited(optionalPrincipalOf(c)?.facts ?? null),
        now,
      });
      const page = pageOf(c, found, limit, ({ market }) => market.symbol);
      const symbols = page.map(({ market }) => market.symbol);
      const days = await hourlyStatistics(db, symbols, now - DAY_MS);
      return c.json({ tickers: page.map((listed) => summaryOf(listed, days)), timestamp: now }, 200);
    },
  );
}

function summaryOf(
  { market, lastPrice: last }: ListedMarket,
  days: ReadonlyMap<string, DayStatistics>,
): z.infer<typeof MarketSummary> {
  const { symbol, priceScale, quantityScale, quoteScale } = market;
  const day = days.get(symbol) ?? { volume: 0, quoteVolume: 0, high: null, low: null, before: null };
  const price = (scaled: number | null) => (scaled === null ? null : fromScaled(scaled, priceScale));
  const change = last === null || day.before === null ? null : last - day.before;
  return {
    symbol,
    last: price(last),
    volume24h: fromScaled(day.volume, quantityScale),
    quote_volume24h: fromScaled(day.quoteVolume, quoteScale),
    change24h: price(change),
    change_percent24h: change === null || day.before === null ? null : rounded((change / day.before) * 100),
    high24h: price(day.high),
    low24h: price(day.low),
  };
}
