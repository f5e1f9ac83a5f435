import { createRoute, z } from '@hono/zod-openapi';
import { setMarketHalted } from '../../../application/operator/change-market-rules.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { MarketChangeView, marketChangeView } from './market-schema.ts';
import { OPERATOR_STOP, OPERATOR_WRITE, OptionalReasonBody } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

/** POST /v1/operator/markets/{symbol}/halt and /resume: a halted market takes no orders and loses its open ones. */
export function haltMarketRoute(exchange: Profile): void {
  for (const verb of ['halt', 'resume'] as const) {
    registerRoute(
      exchange,
      verb === 'halt' ? OPERATOR_STOP : OPERATOR_WRITE,
      createRoute({
        method: 'post',
        path: `/v1/operator/markets/{symbol}/${verb}`,
        tags: ['operator'],
        summary: verb === 'halt' ? 'Halt a market and cancel its open orders' : 'Resume a halted market',
        request: {
          params: z.object({ symbol: z.string() }),
          body: { required: false, content: { 'application/json': { schema: OptionalReasonBody } } },
        },
        responses: { 200: envelopeOf('The rules before and after.', MarketChangeView) },
      }),
      async (c) => {
        const { symbol } = c.req.valid('param');
        const body = c.req.valid('json');
        const action = actionOf(c, body.reason);
        const waits = verb === 'halt' ? null : await weigh(c, body, action);
        if (waits !== null) return failure(c, waits);
        const applied = await setMarketHalted(c.env, symbol, verb === 'halt', action);
        return applied.ok ? c.json(enveloped(marketChangeView(applied.value)), 200) : failure(c, applied.error);
      },
    );
  }
}
