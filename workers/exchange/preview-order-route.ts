import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { type OrderPreview, previewOrder } from '../../application/order-entry/preview-order.ts';
import { MARKET_ROUTES } from '../../domain/markets/market.ts';
import { assetSymbolsOf } from '../../domain/markets/market-symbol.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { averagePrice } from '../../domain/portfolio/average-price.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { orderFailure } from './order-failure.ts';
import { malformedOrder, OrderRequest, orderRequestOf } from './order-request-body.ts';
import { OrderSide } from './order-schema.ts';

const Preview = z
  .object({
    assetId: z.string(),
    market: z.string(),
    route: z.enum(MARKET_ROUTES),
    side: OrderSide,
    orderType: z.string(),
    timeInForce: z.string(),
    quantity: z.number(),
    limitPrice: z.number().nullable(),
    worstPrice: z.number().openapi({ description: 'The limit, or the collar of an order without one.' }),
    estimatedFilledQuantity: z.number().openapi({
      description: 'At once, of what is displayed now. Where an order executes elsewhere nobody promises it.',
    }),
    isEstimated: z.boolean().openapi({
      description:
        'False where nobody says now what is displayed where the order executes: what would fill is not known, and the estimates are 0.',
    }),
    estimatedAveragePrice: z.number().nullable(),
    takerFeeBps: z.int(),
    estimatedFee: z.number().openapi({ description: 'Of what would fill at once.' }),
    estimatedTotal: z.number().openapi({ description: 'Paid by a buy or received by a sale, after fees.' }),
    totalAtWorst: z.number().openapi({
      description:
        'Of the whole order at its worst price: the most that a buy pays with fees, the least that a sale brings before fees.',
    }),
    currency: z.string(),
    heldAsset: z.string(),
    held: z.number().openapi({ description: 'Until the order is done; 0 for an indication of interest.' }),
    available: z.number().openapi({ description: 'What the account has of `heldAsset` and nothing holds.' }),
    waitsUntil: z.iso.datetime().nullable().openapi({
      description: 'While the market is closed: when it opens, and the order goes to the broker.',
    }),
  })
  .openapi('ExchangeOrderPreview');

/** POST /v1/orders/preview: every check of placing and what the order would cost; nothing is placed. */
export function previewOrderRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private', errors: ['ASSET_NOT_FOUND'], invalid: malformedOrder },
    createRoute({
      method: 'post',
      path: '/v1/orders/preview',
      tags: ['orders'],
      summary: 'What an order would do and cost, without placing it',
      description: 'A check that fails is answered as placing would answer it, and not recorded.',
      request: { body: { required: true, content: { 'application/json': { schema: OrderRequest } } } },
      responses: {
        200: {
          description: 'The estimate.',
          content: { 'application/json': { schema: z.object({ data: Preview, message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const body = c.req.valid('json');
      const outcome = await previewOrder({ env: c.env, principal: principalOf(c) }, orderRequestOf(body, uuidv7()));
      if (!outcome.ok) return orderFailure(c, outcome.error);
      return c.json({ data: previewView(body.assetId, outcome.value), message: 'ok' as const }, 200);
    },
  );
}

function previewView(assetId: string, preview: OrderPreview): z.infer<typeof Preview> {
  const { terms, market, worstPrice, worstNotional, fill, isEstimated, fee, held, waitsUntil } = preview;
  const { priceScale, quantityScale, quoteScale } = market;
  const buys = terms.side === 'buy';
  const [base, currency] = assetSymbolsOf(market.symbol);
  const money = (scaled: number) => fromScaled(scaled, quoteScale);
  const quantity = (scaled: number) => fromScaled(scaled, quantityScale);
  return {
    assetId,
    market: market.symbol,
    route: market.route,
    side: buys ? 'BUY' : 'SELL',
    orderType: terms.type,
    timeInForce: terms.timeInForce,
    quantity: quantity(terms.quantity),
    limitPrice: terms.price === null ? null : fromScaled(terms.price, priceScale),
    worstPrice: fromScaled(worstPrice, priceScale),
    estimatedFilledQuantity: quantity(fill.filled),
    isEstimated,
    estimatedAveragePrice:
      fill.filled === 0 ? null : averagePrice(fill.notional, quoteScale, fill.filled, quantityScale),
    takerFeeBps: market.takerFeeBps,
    estimatedFee: money(fee),
    estimatedTotal: money(fill.notional + (buys ? fee : -fee)),
    totalAtWorst: money(buys && held.amount > 0 ? held.amount : worstNotional),
    currency,
    heldAsset: buys ? currency : base,
    held: buys ? money(held.amount) : quantity(held.amount),
    available: buys ? money(held.available) : quantity(held.available),
    waitsUntil: waitsUntil === null ? null : new Date(waitsUntil).toISOString(),
  };
}
