import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { type OrderPreview, previewOrder } from '../../application/order-entry/preview-order.ts';
import { assetSymbolsOf } from '../../domain/markets/market-symbol.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { SIDES } from '../../domain/orders/order.ts';
import { averagePrice } from '../../domain/portfolio/average-price.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { bookError } from './book-error.ts';
import { OrderRequestBody, orderRequestOf } from './order-request-body.ts';

const Preview = z
  .object({
    symbol: z.string(),
    side: z.enum(SIDES),
    type: z.string(),
    time_in_force: z.string(),
    size: z.number(),
    price: z.number().nullable(),
    worst_price: z.number().openapi({ description: 'The limit, or the collar of an order without one.' }),
    estimated_filled_size: z.number().openapi({ description: 'At once, in the book as it stands.' }),
    estimated_average_price: z.number().nullable(),
    estimated_fee: z.number(),
    estimated_total: z.number().openapi({ description: 'Paid by a buy or received by a sale, after fees.' }),
    held_asset: z.string(),
    held: z.number(),
    available: z.number(),
  })
  .openapi('OrderPreview');

/** POST /v1/orders/preview: every check of placing and what the order would cost; nothing is placed. */
export function previewOrderRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'post',
      path: '/v1/orders/preview',
      summary: 'What an order would do and cost, without placing it',
      description: 'A check that fails is answered as placing would answer it.',
      request: { body: { required: true, content: { 'application/json': { schema: OrderRequestBody } } } },
      responses: { 200: { description: 'The estimate.', content: { 'application/json': { schema: Preview } } } },
    }),
    async (c) => {
      const asked = orderRequestOf(c.req.valid('json'), uuidv7());
      if (!asked.ok) return failure(c, asked.error);
      const outcome = await previewOrder({ env: c.env, principal: principalOf(c) }, asked.value);
      if (!outcome.ok) return failure(c, bookError(outcome.error));
      return c.json(wirePreview(outcome.value), 200);
    },
  );
}

function wirePreview({ terms, market, worstPrice, fill, fee, held }: OrderPreview): z.infer<typeof Preview> {
  const { priceScale, quantityScale, quoteScale } = market;
  const buys = terms.side === 'buy';
  const [base, quote] = assetSymbolsOf(market.symbol);
  return {
    symbol: market.symbol,
    side: terms.side,
    type: terms.type,
    time_in_force: terms.timeInForce,
    size: fromScaled(terms.quantity, quantityScale),
    price: terms.price === null ? null : fromScaled(terms.price, priceScale),
    worst_price: fromScaled(worstPrice, priceScale),
    estimated_filled_size: fromScaled(fill.filled, quantityScale),
    estimated_average_price:
      fill.filled === 0 ? null : averagePrice(fill.notional, quoteScale, fill.filled, quantityScale),
    estimated_fee: fromScaled(fee, quoteScale),
    estimated_total: fromScaled(fill.notional + (buys ? fee : -fee), quoteScale),
    held_asset: buys ? quote : base,
    held: fromScaled(held.amount, buys ? quoteScale : quantityScale),
    available: fromScaled(held.available, buys ? quoteScale : quantityScale),
  };
}
