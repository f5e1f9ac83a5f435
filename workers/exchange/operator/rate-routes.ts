import { createRoute, z } from '@hono/zod-openapi';
import { projected } from '../../../application/ledger/projected.ts';
import { stateRateByOperator } from '../../../application/operator/state-rate.ts';
import { database } from '../../../data/database.ts';
import { listRates, type RateRow } from '../../../data/markets/rates.ts';
import { rateInWholes, STATED_TERM_MAX } from '../../../domain/money/dollar-rate.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { notCurrent } from '../../responses/not-current.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, VENUE_READ } from './operator-route.ts';

const term = z.int().min(1).max(STATED_TERM_MAX);

const RateBody = z
  .strictObject({
    numerator: term.openapi({ description: 'US dollars.', example: 11 }),
    denominator: term.openapi({ description: 'Units of the asset that they are for.', example: 10 }),
  })
  .openapi('OperatorRateRequest');

const RateView = z
  .object({
    assetId: z.string(),
    symbol: z.string(),
    numerator: z.number().openapi({ description: 'US dollars, in lowest terms.' }),
    denominator: z.number().openapi({ description: 'Units of the asset that they are for.' }),
    version: z.int().openapi({ description: 'From 1, one more with each change.' }),
    statedAt: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('OperatorRate');

/** GET /v1/operator/rates, PUT /v1/operator/rates/{asset}: what limits in dollars go by on markets that quote in something else. */
export function rateRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/rates',
      tags: ['operator'],
      summary: 'Dollars for what markets quote in',
      responses: { 200: envelopeOf('The rates in force, by symbol.', z.array(RateView)) },
    }),
    async (c) => {
      if (!(await projected(c.env))) return failure(c, notCurrent());
      return c.json(enveloped((await listRates(database(c.env.DB))).map(rateView)), 200);
    },
  );

  registerRoute(
    exchange,
    { ...OPERATOR_WRITE, errors: [...OPERATOR_WRITE.errors, 'ASSET_NOT_FOUND'] },
    createRoute({
      method: 'put',
      path: '/v1/operator/rates/{asset}',
      tags: ['operator'],
      summary: 'State what an asset that markets quote in is worth in dollars',
      description:
        'Limits in dollars of API keys, the limit of Regulation Crowdfunding and the cost of holdings go by it. An open order keeps the rate that it was admitted by.',
      request: {
        params: z.object({ asset: z.string() }),
        body: { required: true, content: { 'application/json': { schema: RateBody } } },
      },
      responses: { 200: envelopeOf('The rate in force.', RateView) },
    }),
    async (c) => {
      const stated = await stateRateByOperator(c.env, c.req.valid('param').asset, c.req.valid('json'), actionOf(c));
      return stated.ok ? c.json(enveloped(rateView(stated.value)), 200) : failure(c, stated.error);
    },
  );
}

function rateView({ assetId, symbol, version, statedAt, ...row }: RateRow): z.infer<typeof RateView> {
  return { assetId, symbol, ...rateInWholes(row, row), version, statedAt: new Date(statedAt).toISOString() };
}
