import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { findMarket } from '../../../data/markets/markets.ts';
import type { MarketRules } from '../../../domain/ledger/transactions.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { toScaled } from '../../../domain/money/scaled.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { applyMarketRules } from './apply-market-rules.ts';
import { BPS_MAX, MarketChangeView } from './market-schema.ts';
import { enveloped, OPERATOR_WRITE, venueOnly } from './operator-route.ts';
import { numberError } from './transfer-schema.ts';

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
    referencePrice: z.number().positive().nullable().optional().openapi({ description: 'Used until the first trade.' }),
  })
  .strict()
  .openapi('OperatorMarketRulesRequest');

/** PATCH /v1/operator/markets/{symbol}: sizes, fees, band. Resting orders keep the fees that they were admitted under. */
export function changeMarketRulesRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'patch',
      path: '/v1/operator/markets/{symbol}',
      tags: ['operator'],
      summary: "Change a market's sizes, fees and price band",
      request: {
        params: z.object({ symbol: z.string() }),
        body: { required: true, content: { 'application/json': { schema: MarketRulesRequest } } },
      },
      responses: enveloped('The rules before and after.', MarketChangeView),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const market = await findMarket(database(c.env.DB), c.req.valid('param').symbol);
      if (market === null) return failure(c, apiError('NOT_FOUND', 'market does not exist'));
      const rules = rulesOf(c.req.valid('json'), market);
      if (!rules.ok) return failure(c, rules.error);
      const outcome = await applyMarketRules(c, market, rules.rules);
      return outcome.ok ? c.json({ data: outcome.data, message: 'ok' as const }, 200) : failure(c, outcome.error);
    },
  );
}

type RulesResult =
  | { readonly ok: true; readonly rules: Partial<MarketRules> }
  | { readonly ok: false; readonly error: ApiError };

function rulesOf(body: z.infer<typeof MarketRulesRequest>, market: Market): RulesResult {
  const { minSize, maxSize, referencePrice, ...rules } = body;
  const scaled: Record<string, number | null> = referencePrice === null ? { referencePrice: null } : {};
  const numbers = [
    { name: 'quantityMin', field: 'minSize', value: minSize, scale: market.quantityScale },
    { name: 'quantityMax', field: 'maxSize', value: maxSize, scale: market.quantityScale },
    {
      name: 'referencePrice',
      field: 'referencePrice',
      value: referencePrice ?? undefined,
      scale: market.priceScale,
    },
  ] as const;
  for (const { name, field, value, scale } of numbers) {
    if (value === undefined) continue;
    const result = toScaled(value, scale);
    if (!result.ok) return { ok: false, error: numberError(field, result.error) };
    scaled[name] = result.value;
  }
  const stated = Object.entries({ ...rules, ...scaled }).filter(([, value]) => value !== undefined);
  return { ok: true, rules: Object.fromEntries(stated) };
}
