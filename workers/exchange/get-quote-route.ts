import { createRoute, z } from '@hono/zod-openapi';
import { readPrice } from '../../application/market-data/asset-prices.ts';
import type { Instrument } from '../../data/catalog/instruments.ts';
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

const QUOTE_SECONDS = 1;

/** GET /v1/assets/{id}/quote. */
export function getQuoteRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'public' }, bucket: 'public', edge: { seconds: QUOTE_SECONDS } },
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
      const quote = await readQuote(c.env, visible.instrument);
      if (quote.stale) c.set('isUnshared', true);
      return c.json(quote, 200);
    },
  );
}

async function readQuote(env: Env, instrument: Instrument): Promise<z.infer<typeof Quote>> {
  const { quote, scales, at_ms, isStale } = await readPrice(env, instrument, Date.now());
  const price = (scaled: number) => fromScaled(scaled, scales.price);
  return {
    assetId: instrument.asset.id,
    last: price(quote.last),
    open: price(quote.open),
    high: price(quote.high),
    low: price(quote.low),
    prevClose: price(quote.prevClose),
    change: price(quote.change),
    changePercent: quote.changePercent,
    volume: fromScaled(quote.volume, scales.volume),
    timestamp: new Date(at_ms).toISOString(),
    stale: isStale,
  };
}
