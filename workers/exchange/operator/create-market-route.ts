import { createRoute, z } from '@hono/zod-openapi';
import { openNewMarket } from '../../../application/operator/open-new-market.ts';
import { MARKET_ROUTES } from '../../../domain/markets/market.ts';
import { TRADING_HOURS } from '../../../domain/markets/trading-hours.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { BAND_DESCRIPTION, BAND_HALT_SECONDS_MAX, BPS_MAX, MarketRulesView, marketRulesView } from './market-schema.ts';
import { OPERATOR_WRITE } from './operator-route.ts';

/** Decimals of a price. */
const PRICE_SCALE_MAX = 8;

const MarketRequest = z
  .object({
    baseAssetId: z.string().min(1),
    quoteAssetId: z.string().min(1),
    route: z.enum(MARKET_ROUTES).default('internal').openapi({
      description:
        'Where its orders execute: among each other, or, for assets of that route, at the broker, at the prime broker or not before a listing event. For good.',
    }),
    priceScale: z.int().min(0).max(PRICE_SCALE_MAX).openapi({ description: 'Decimals of a price.' }),
    tickSize: z.number().positive().openapi({ example: 0.01 }),
    lotSize: z.number().positive().openapi({ example: 1 }),
    minSize: z.number().positive(),
    maxSize: z.number().positive(),
    makerFeeBps: z.int().min(0).default(0),
    takerFeeBps: z.int().min(0).default(0),
    bandBps: z.int().min(0).max(BPS_MAX).optional().openapi({ description: BAND_DESCRIPTION }),
    bandHaltSeconds: z.int().min(0).max(BAND_HALT_SECONDS_MAX).optional(),
    tradingHours: z.enum(TRADING_HOURS).default('always').openapi({
      description: 'Of a market at the broker: when orders may go there.',
    }),
    referencePrice: z.number().positive().nullable().default(null).openapi({
      description:
        'What the market goes by before it has traded. Without one it takes no order without a limit until three accounts have traded.',
    }),
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
      responses: { 200: envelopeOf('The market.', MarketView) },
    }),
    async (c) => {
      const market = c.req.valid('json');
      const opened = await openNewMarket(c.env, market, actionOf(c));
      if (!opened.ok) return failure(c, opened.error);
      const { symbol, terms, quantityScale } = opened.value;
      const { baseAssetId, quoteAssetId, priceScale, tickSize, lotSize } = market;
      const rules = marketRulesView({ ...terms, status: 'open' }, { quantityScale, priceScale });
      return c.json(enveloped({ symbol, baseAssetId, quoteAssetId, priceScale, tickSize, lotSize, rules }), 200);
    },
  );
}
