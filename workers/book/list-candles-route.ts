import { createRoute, z } from '@hono/zod-openapi';
import { settleMarket } from '../../application/ledger/settle-before-read.ts';
import { database } from '../../data/database.ts';
import { listLatestBars } from '../../data/markets/bars.ts';
import { barsInCandle, CANDLE_INTERVALS, candleStart, candlesOf, makingOf } from '../../domain/charts/candle.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { pageOf, rowsToRead } from '../responses/paging.ts';
import { wholeNumber, wholeNumberOr } from '../responses/whole-number.ts';
import { jsonOf } from '../responses/wire.ts';
import { visibleMarket } from './visible-market.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1_000;

const Candles = z
  .object({
    symbol: z.string(),
    interval: z.enum(CANDLE_INTERVALS),
    candles: z.array(
      z.object({
        timestamp: z.int().openapi({ description: 'Start of the candle, Unix milliseconds.' }),
        open: z.number(),
        high: z.number(),
        low: z.number(),
        close: z.number(),
        volume: z.number().openapi({ description: 'Base quantity.' }),
        quote_volume: z.number(),
        trades: z.int(),
      }),
    ),
  })
  .openapi('Candles');

/** GET /v1/candles/{symbol}. */
export function listCandlesRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/candles/{symbol}',
      summary: 'Candles of a symbol',
      description:
        'Newest first, the running one included. Where nothing traded there is no candle. Times are UTC: candles of 4 h begin at midnight, those of a week on Monday.',
      request: {
        params: z.object({ symbol: z.string() }),
        query: z.object({
          interval: z.enum(CANDLE_INTERVALS).default('1m'),
          from: wholeNumber(0).optional().openapi({ description: 'First start, Unix milliseconds.' }),
          limit: wholeNumberOr(LIMIT_DEFAULT, 1, LIMIT_MAX),
          cursor: wholeNumber(1).optional().openapi({ description: 'Only candles that start before.' }),
        }),
      },
      responses: { 200: jsonOf('The candles; the next page is in the Link header.', Candles) },
    }),
    async (c) => {
      const visible = await visibleMarket(c, c.req.valid('param').symbol);
      if (!visible.ok) return failure(c, visible.error);
      const { symbol, priceScale, quantityScale, quoteScale } = visible.value;
      const { interval, from = 0, limit, cursor } = c.req.valid('query');
      await settleMarket(c.env, symbol);
      const making = makingOf(interval);
      const bars = await listLatestBars(database(c.env.DB), {
        book: symbol,
        interval: making.of,
        from: firstStart(making, from),
        before: cursor === undefined ? null : firstStart(making, cursor),
        limit: rowsToRead(limit) * barsInCandle(making),
      });
      const page = pageOf(c, candlesOf(making, bars), limit, (last) => String(last.bucket));
      const price = (scaled: number) => fromScaled(scaled, priceScale);
      const candles = page.map((bar) => ({
        timestamp: bar.bucket,
        open: price(bar.open),
        high: price(bar.high),
        low: price(bar.low),
        close: price(bar.close),
        volume: fromScaled(bar.volume, quantityScale),
        quote_volume: fromScaled(bar.quoteVolume, quoteScale),
        trades: bar.trades,
      }));
      return c.json({ symbol, interval, candles }, 200);
    },
  );
}

/** The first start at or after a moment. */
function firstStart(making: ReturnType<typeof makingOf>, at: number): number {
  const start = candleStart(making, at);
  return start === at ? at : start + making.lengthMs;
}
