import { createRoute, z } from '@hono/zod-openapi';
import { settleMarket } from '../../application/ledger/settle-before-read.ts';
import { readBook } from '../../application/order-book/read-book.ts';
import { database } from '../../data/database.ts';
import { dayStatistics } from '../../data/markets/day-statistics.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { rounded } from '../../domain/portfolio/average-price.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { visibleMarket } from './visible-market.ts';

const Ticker = z
  .object({
    symbol: z.string(),
    bid: z.number().nullable(),
    ask: z.number().nullable(),
    last: z.number().nullable().openapi({ description: 'Last trade; null before the first.' }),
    volume24h: z.number().openapi({ description: 'Base quantity of the last 24 hours, to the minute.' }),
    quote_volume24h: z.number(),
    change24h: z.number().nullable().openapi({ description: 'Last price less that of 24 hours ago.' }),
    change_percent24h: z.number().nullable(),
    high24h: z.number().nullable(),
    low24h: z.number().nullable(),
    timestamp: z.int().openapi({ description: 'Unix milliseconds.' }),
  })
  .openapi('Ticker');

/** GET /v1/ticker/{symbol}. */
export function getTickerRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/ticker/{symbol}',
      summary: 'Best prices, last trade and the last 24 hours',
      request: { params: z.object({ symbol: z.string() }) },
      responses: { 200: { description: 'The ticker.', content: { 'application/json': { schema: Ticker } } } },
    }),
    async (c) => {
      const visible = await visibleMarket(c, c.req.valid('param').symbol);
      if (!visible.ok) return failure(c, visible.error);
      const { symbol, priceScale, quantityScale, quoteScale } = visible.value;
      await settleMarket(c.env, symbol);
      const now = Date.now();
      const [{ bid, ask, last }, day] = await Promise.all([
        readBook(c.env, symbol, (object) => object.ticker()),
        dayStatistics(database(c.env.DB), symbol, now - DAY_MS),
      ]);
      const price = (scaled: number | null) => (scaled === null ? null : fromScaled(scaled, priceScale));
      const change = last === null || day.before === null ? null : last - day.before;
      return c.json(
        {
          symbol,
          bid: price(bid),
          ask: price(ask),
          last: price(last),
          volume24h: fromScaled(day.volume, quantityScale),
          quote_volume24h: fromScaled(day.quoteVolume, quoteScale),
          change24h: price(change),
          change_percent24h: change === null || day.before === null ? null : rounded((change / day.before) * 100),
          high24h: price(day.high),
          low24h: price(day.low),
          timestamp: now,
        },
        200,
      );
    },
  );
}
