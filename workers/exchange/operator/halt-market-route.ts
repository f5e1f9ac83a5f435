import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { findMarket } from '../../../data/markets/markets.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { applyMarketRules } from './apply-market-rules.ts';
import { MarketChangeView } from './market-schema.ts';
import { enveloped, OPERATOR_WRITE, venueOnly } from './operator-route.ts';

/** POST /v1/operator/markets/{symbol}/halt and /resume: a halted market takes no orders and loses its open ones. */
export function haltMarketRoute(exchange: Profile): void {
  for (const verb of ['halt', 'resume'] as const) {
    registerRoute(
      exchange,
      OPERATOR_WRITE,
      createRoute({
        method: 'post',
        path: `/v1/operator/markets/{symbol}/${verb}`,
        tags: ['operator'],
        summary: verb === 'halt' ? 'Halt a market and cancel its open orders' : 'Resume a halted market',
        request: { params: z.object({ symbol: z.string() }) },
        responses: enveloped('The rules before and after.', MarketChangeView),
      }),
      async (c) => {
        const refusal = venueOnly(c);
        if (refusal !== null) return failure(c, refusal);
        const market = await findMarket(database(c.env.DB), c.req.valid('param').symbol);
        if (market === null) return failure(c, apiError('NOT_FOUND', 'market does not exist'));
        const outcome = await applyMarketRules(c, market, { status: verb === 'halt' ? 'halted' : 'open' });
        return outcome.ok ? c.json({ data: outcome.data, message: 'ok' as const }, 200) : failure(c, outcome.error);
      },
    );
  }
}
