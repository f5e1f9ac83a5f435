import { createRoute, z } from '@hono/zod-openapi';
import type { MadeAdjustment } from '../../../application/ledger/adjust-trade.ts';
import { adjustTradeByOperator } from '../../../application/operator/adjust-trade.ts';
import { ADJUSTMENT_TYPES } from '../../../domain/ledger/adjustment-type.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE_OF_OTHERS, Reason } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const BustBody = z
  .strictObject({
    reason: Reason,
    dividendsSettled: z.boolean().optional().openapi({
      description:
        'Somebody has settled otherwise what the trade brought of dividends: it is taken back though they stand.',
    }),
  })
  .openapi('OperatorTradeBust');

const CorrectionBody = z
  .strictObject({
    reason: Reason,
    price: z.number().positive().openapi({ description: 'What the trade should have been dealt at.' }),
  })
  .openapi('OperatorTradeCorrection');

const Terms = z.object({
  price: z.number(),
  quantity: z.number(),
  notional: z.number(),
  buyerFee: z.number(),
  sellerFee: z.number(),
});

const AdjustmentView = z
  .object({
    id: z.string(),
    type: z.enum(ADJUSTMENT_TYPES),
    tradeId: z.string(),
    symbol: z.string(),
    buyer: z.string().openapi({ description: 'Account of the buyer.' }),
    seller: z.string(),
    before: Terms,
    after: Terms.openapi({ description: 'What the trade stands at; zeros where nothing of it does.' }),
    reason: z.string(),
    timestamp: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('OperatorTradeAdjustment');

const params = z.object({ id: z.uuid() });
const responses = { 200: envelopeOf('What the trade was, and what it stands at.', AdjustmentView) };

/** POST /v1/operator/trades/{id}/bust: nothing of the trade stands. POST …/correction: it stands at another price. */
export function adjustTradeRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_OF_OTHERS,
    createRoute({
      method: 'post',
      path: '/v1/operator/trades/{id}/bust',
      tags: ['operator'],
      summary: 'Take an erroneous trade back',
      request: { params, body: { required: true, content: { 'application/json': { schema: BustBody } } } },
      responses,
    }),
    async (c) => {
      const stated = c.req.valid('json');
      const tradeId = c.req.valid('param').id;
      const action = actionOf(c);
      const waits = await weigh(c, stated, action);
      if (waits !== null) return failure(c, waits);
      const { reason, dividendsSettled = false } = stated;
      const made = await adjustTradeByOperator(c.env, { tradeId, price: null, reason, dividendsSettled, action });
      return made.ok ? c.json(enveloped(adjustmentView(made.value)), 200) : failure(c, made.error);
    },
  );

  registerRoute(
    exchange,
    OPERATOR_WRITE_OF_OTHERS,
    createRoute({
      method: 'post',
      path: '/v1/operator/trades/{id}/correction',
      tags: ['operator'],
      summary: 'Settle an erroneous trade at another price',
      request: { params, body: { required: true, content: { 'application/json': { schema: CorrectionBody } } } },
      responses,
    }),
    async (c) => {
      const { reason, price } = c.req.valid('json');
      const tradeId = c.req.valid('param').id;
      const action = actionOf(c);
      const waits = await weigh(c, { reason, price }, action);
      if (waits !== null) return failure(c, waits);
      const made = await adjustTradeByOperator(c.env, { tradeId, price, reason, action });
      return made.ok ? c.json(enveloped(adjustmentView(made.value)), 200) : failure(c, made.error);
    },
  );
}

function adjustmentView({ trade, market, adjustment }: MadeAdjustment): z.infer<typeof AdjustmentView> {
  const terms = (of: MadeAdjustment['trade'] | MadeAdjustment['adjustment']): z.infer<typeof Terms> => ({
    price: fromScaled(of.price, market.priceScale),
    quantity: fromScaled(of.quantity, market.quantityScale),
    notional: fromScaled(of.notional, market.quoteScale),
    buyerFee: fromScaled(of.buyerFee, market.quoteScale),
    sellerFee: fromScaled(of.sellerFee, market.quoteScale),
  });
  return {
    id: adjustment.id,
    type: adjustment.type,
    tradeId: trade.id,
    symbol: market.symbol,
    buyer: trade.buyer,
    seller: trade.seller,
    before: terms(trade),
    after: terms(adjustment),
    reason: adjustment.reason,
    timestamp: new Date(adjustment.createdAt).toISOString(),
  };
}
