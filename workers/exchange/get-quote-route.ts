import { createRoute, z } from '@hono/zod-openapi';
import { hasSource, readSourceQuote } from '../../application/market-data/source-prices.ts';
import { readBook } from '../../application/order-book/read-book.ts';
import type { Instrument } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import { latestDayBars } from '../../data/markets/bars.ts';
import { priceTerms } from '../../domain/assets/price-terms.ts';
import { type DayQuote, dayQuote } from '../../domain/charts/day-quote.ts';
import { SOURCE_SCALES, sourceDayQuote } from '../../domain/charts/source-day-quote.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { visibleAsset } from './visible-asset.ts';

/** X-QUO-01 to X-QUO-03. */
const Quote = z
  .object({
    assetId: z.string(),
    last: z.number().openapi({ description: 'Before the first trade the reference price; 0 where there is none.' }),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    prevClose: z.number(),
    change: z.number(),
    changePercent: z.number(),
    volume: z.number(),
    timestamp: z.iso.datetime().openapi({ description: 'When the source of the prices said so.' }),
    stale: z.boolean().openapi({
      description:
        'The source of the prices is away: this is what it said last, or where it has said nothing what last traded here.',
    }),
  })
  .openapi('Quote');

/** GET /v1/assets/{id}/quote. */
export function getQuoteRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/assets/{id}/quote',
      tags: ['assets'],
      summary: 'Quote of the day, UTC',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: { description: 'The quote.', content: { 'application/json': { schema: Quote } } } },
    }),
    async (c) => {
      const visible = await visibleAsset(c, c.req.valid('param').id);
      if (!visible.ok) return failure(c, visible.error);
      return c.json(await readQuote(c.env, visible.instrument), 200);
    },
  );
}

async function readQuote(env: Env, instrument: Instrument): Promise<z.infer<typeof Quote>> {
  if (!hasSource(instrument)) return { ...(await readOwnQuote(env, instrument)), stale: false };
  const known = await readSourceQuote(env, instrument);
  if (known === null) return { ...(await readOwnQuote(env, instrument)), stale: true };
  return {
    ...quoteOf(instrument.asset.id, sourceDayQuote(known.value), SOURCE_SCALES, known.value.at_ms),
    stale: known.isStale,
  };
}

async function readOwnQuote(env: Env, { asset, market }: Instrument) {
  const [last, bars] =
    market === null
      ? [null, new Map()]
      : await Promise.all([
          readBook(env, market.symbol, (book) => book.ticker()).then((ticker) => ticker.last),
          latestDayBars(database(env.DB), [market.symbol]),
        ]);
  const now = Date.now();
  const { scale, reference } = priceTerms(asset, market);
  const quote = dayQuote(bars.get(market?.symbol ?? '') ?? [], last, reference, now);
  return quoteOf(asset.id, quote, { price: scale, volume: asset.scale }, now);
}

function quoteOf(assetId: string, quote: DayQuote, scales: { price: number; volume: number }, at_ms: number) {
  const price = (scaled: number) => fromScaled(scaled, scales.price);
  return {
    assetId,
    last: price(quote.last),
    open: price(quote.open),
    high: price(quote.high),
    low: price(quote.low),
    prevClose: price(quote.prevClose),
    change: price(quote.change),
    changePercent: quote.changePercent,
    volume: fromScaled(quote.volume, scales.volume),
    timestamp: new Date(at_ms).toISOString(),
  };
}
