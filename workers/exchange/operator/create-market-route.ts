import { createRoute, z } from '@hono/zod-openapi';
import { findAsset } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { type MarketTerms, openMarket } from '../../../data/markets/markets.ts';
import { toScaled } from '../../../domain/money/scaled.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { BPS_MAX, MarketRulesView, marketChangeError, marketRulesView } from './market-schema.ts';
import { enveloped, OPERATOR_WRITE, venueOnly } from './operator-route.ts';
import { numberError } from './transfer-schema.ts';

/** Decimals of a price. */
const PRICE_SCALE_MAX = 8;

const MarketRequest = z
  .object({
    baseAssetId: z.string().min(1),
    quoteAssetId: z.string().min(1),
    priceScale: z.int().min(0).max(PRICE_SCALE_MAX).openapi({ description: 'Decimals of a price.' }),
    tickSize: z.number().positive().openapi({ example: 0.01 }),
    lotSize: z.number().positive().openapi({ example: 1 }),
    minSize: z.number().positive(),
    maxSize: z.number().positive(),
    makerFeeBps: z.int().min(0).default(0),
    takerFeeBps: z.int().min(0).default(0),
    bandBps: z.int().min(0).max(BPS_MAX).default(0),
    referencePrice: z.number().positive().nullable().default(null),
  })
  .strict()
  .openapi('OperatorMarketRequest');

const MarketView = z
  .object({
    symbol: z.string().openapi({ example: 'ACME-USD' }),
    baseAssetId: z.string(),
    quoteAssetId: z.string(),
    priceScale: z.int(),
    tickSize: z.number(),
    lotSize: z.number(),
    rules: MarketRulesView,
  })
  .openapi('OperatorMarket');

/** POST /v1/operator/markets: a pair with an order book of its own, open at once. Tick, lot and scale are for good. */
export function createMarketRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/markets',
      tags: ['operator'],
      summary: 'Open a market',
      request: { body: { required: true, content: { 'application/json': { schema: MarketRequest } } } },
      responses: enveloped('The market.', MarketView),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const body = c.req.valid('json');
      const db = database(c.env.DB);
      const base = await findAsset(db, body.baseAssetId);
      if (base === null)
        return failure(c, apiError('ASSET_NOT_FOUND', 'asset does not exist', { field: 'baseAssetId' }));
      const terms = termsOf(body, base.scale, Date.now());
      if (!terms.ok) return failure(c, terms.error);
      const opened = await openMarket(db, terms.terms, actionOf(c));
      if (!opened.ok) {
        if (opened.error.reason === 'symbol_taken') return failure(c, apiError('CONFLICT', 'the market exists'));
        return failure(c, marketChangeError(opened.error));
      }
      const symbol = opened.value;
      const { baseAssetId, quoteAssetId, priceScale, tickSize, lotSize } = body;
      const rules = marketRulesView({ ...terms.terms, status: 'open' }, { quantityScale: base.scale, priceScale });
      const data = { symbol, baseAssetId, quoteAssetId, priceScale, tickSize, lotSize, rules };
      return c.json({ data, message: 'ok' as const }, 200);
    },
  );
}

type TermsResult =
  | { readonly ok: true; readonly terms: Required<MarketTerms> }
  | { readonly ok: false; readonly error: ApiError };

function termsOf(body: z.infer<typeof MarketRequest>, quantityScale: number, now: number): TermsResult {
  const { priceScale } = body;
  const scaled = { tickSize: 0, lotSize: 0, minSize: 0, maxSize: 0, referencePrice: 0 };
  const scales = {
    tickSize: priceScale,
    lotSize: quantityScale,
    minSize: quantityScale,
    maxSize: quantityScale,
    referencePrice: priceScale,
  };
  for (const field of Object.keys(scaled) as (keyof typeof scaled)[]) {
    const result = toScaled(body[field] ?? 0, scales[field]);
    if (!result.ok) return { ok: false, error: numberError(field, result.error) };
    scaled[field] = result.value;
  }
  return {
    ok: true,
    terms: {
      baseAsset: body.baseAssetId,
      quoteAsset: body.quoteAssetId,
      priceScale,
      tickSize: scaled.tickSize,
      lotSize: scaled.lotSize,
      quantityMin: scaled.minSize,
      quantityMax: scaled.maxSize,
      makerFeeBps: body.makerFeeBps,
      takerFeeBps: body.takerFeeBps,
      bandBps: body.bandBps,
      referencePrice: body.referencePrice === null ? null : scaled.referencePrice,
      createdAt: now,
    },
  };
}
