import { createRoute, z } from '@hono/zod-openapi';
import { changeMarketRules } from '../../../application/operator/change-market-rules.ts';
import { TRADING_HOURS } from '../../../domain/markets/trading-hours.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { BAND_HALT_SECONDS_MAX, BPS_MAX, MarketChangeView, marketChangeView } from './market-schema.ts';
import { OPERATOR_WRITE, Reason } from './operator-route.ts';

const MarketRulesRequest = z
  .object({
    minSize: z.number().positive().optional(),
    maxSize: z.number().positive().optional(),
    makerFeeBps: z.int().min(0).optional(),
    takerFeeBps: z.int().min(0).optional(),
    bandBps: z
      .int()
      .min(0)
      .max(BPS_MAX)
      .optional()
      .openapi({ description: 'Price band around the reference price; 0 for none.' }),
    bandHaltSeconds: z.int().min(0).max(BAND_HALT_SECONDS_MAX).optional().openapi({
      description: 'How long the market halts once trading has reached the end of its band; 0 not at all.',
    }),
    tradingHours: z.enum(TRADING_HOURS).optional().openapi({
      description: 'Of a market at the broker: when orders may go there. Those that can wait do so until it opens.',
    }),
    referencePrice: z.number().positive().nullable().optional().openapi({
      description:
        'The price band lies around it from here on, whatever has traded before, until three accounts have agreed on a price anew. Stating the same price again is another statement; null withdraws it.',
    }),
    reason: Reason.optional(),
  })
  .strict()
  .openapi('OperatorMarketRulesRequest');

/** PATCH /v1/operator/markets/{symbol}: sizes, fees, band, hours. Resting orders keep the fees that they were admitted under. */
export function changeMarketRulesRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'patch',
      path: '/v1/operator/markets/{symbol}',
      tags: ['operator'],
      summary: "Change a market's sizes, fees, price band and trading hours",
      request: {
        params: z.object({ symbol: z.string() }),
        body: { required: true, content: { 'application/json': { schema: MarketRulesRequest } } },
      },
      responses: { 200: envelopeOf('The rules before and after.', MarketChangeView) },
    }),
    async (c) => {
      const { symbol } = c.req.valid('param');
      const { reason, ...rules } = c.req.valid('json');
      const applied = await changeMarketRules(c.env, symbol, rules, actionOf(c, reason));
      return applied.ok ? c.json(enveloped(marketChangeView(applied.value)), 200) : failure(c, applied.error);
    },
  );
}
