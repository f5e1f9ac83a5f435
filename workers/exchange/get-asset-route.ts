import { createRoute, z } from '@hono/zod-openapi';
import { readBars } from '../../application/market-data/asset-bars.ts';
import { readPrice } from '../../application/market-data/asset-prices.ts';
import type { Instrument } from '../../data/catalog/instruments.ts';
import { ACCREDITATION_TYPES } from '../../domain/assets/asset.ts';
import { routeOfAsset } from '../../domain/assets/route-of.ts';
import { chartWindow } from '../../domain/charts/chart-window.ts';
import { opensAt, TRADING_HOURS } from '../../domain/markets/trading-hours.ts';
import { instrumentFailure } from '../../domain/order-entry/instrument-failure.ts';
import { ok } from '../../domain/result.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { AssetListItem, assetListItem } from './asset-schema.ts';
import { visibleAsset } from './visible-asset.ts';

const DETAIL_SECONDS = 3;

const DayBar = z.object({
  timestamp: z.iso.datetime(),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});

/** X-ADT-01 to X-ADT-05; the metadata of the last row is ours to choose. */
const AssetDetail = AssetListItem.extend({
  accreditationType: z.enum(ACCREDITATION_TYPES).nullable(),
  offeringType: z.string().openapi({ description: 'Empty for what is no offering.' }),
  marketRail: z.string().nullable(),
  regulation: z.string().nullable(),
  tradeable: z.boolean().openapi({ description: 'Whether an order is taken now.' }),
  tradingHours: z.enum(TRADING_HOURS).nullable().openapi({
    description: '`nyse`: the core session of the New York Stock Exchange. Null without a market.',
  }),
  opensAt: z.iso.datetime().nullable().openapi({
    description:
      'When the market opens next: until then limit orders wait, and others are refused. Null while it is open, and without a market.',
  }),
  issuerName: z.string().nullable(),
  description: z.string().nullable(),
  marketData: z.object({ perDay: z.array(DayBar) }),
}).openapi('AssetDetail');

/** GET /v1/assets/{id} and its legacy path. */
export function getAssetRoute(exchange: Profile): void {
  for (const path of ['/v1/assets/{id}', '/v1/exchange-assets/{id}']) {
    registerRoute(
      exchange,
      { access: { credential: 'public' }, bucket: 'public', edge: { seconds: DETAIL_SECONDS } },
      createRoute({
        method: 'get',
        path,
        tags: ['assets'],
        summary: 'Asset detail with a year of daily bars',
        deprecated: path !== '/v1/assets/{id}',
        request: { params: z.object({ id: z.string() }) },
        responses: {
          200: {
            description: 'The asset.',
            content: { 'application/json': { schema: z.object({ data: AssetDetail }) } },
          },
        },
      }),
      async (c) => {
        const visible = await visibleAsset(c, c.req.valid('param').id);
        if (!visible.ok) return failure(c, visible.error);
        const data = await readDetail(c, visible.instrument);
        if (data.stale) c.set('isUnshared', true);
        return c.json({ data }, 200);
      },
    );
  }
}

/** Whether an order is taken now: the asset is open, and so is its route, or its market and the venue. */
function isOpen(instrument: Pick<Instrument, 'asset' | 'market'>): boolean {
  const route = routeOfAsset(instrument.asset);
  return instrumentFailure(instrument, route) === null;
}

function hoursOf(
  market: Instrument['market'],
  now_ms: number,
): Pick<z.infer<typeof AssetDetail>, 'tradingHours' | 'opensAt'> {
  const opens = opensAt(market?.tradingHours, now_ms);
  return {
    tradingHours: market === null ? null : (market.tradingHours ?? 'always'),
    opensAt: opens === null ? null : new Date(opens).toISOString(),
  };
}

async function readDetail(c: AppContext, instrument: Instrument): Promise<z.infer<typeof AssetDetail>> {
  const { asset, market } = instrument;
  const now = Date.now();
  const window = chartWindow('1y', '1d', now);
  const [price, year] = await Promise.all([
    readPrice(c.env, instrument, now),
    window.ok ? readBars(c.env, instrument, window.value, now) : ok({ bars: [], isStale: false }),
  ]);
  // The detail goes without bars that its source was not asked for.
  const { bars, isStale } = year.ok ? year.value : { bars: [], isStale: true };
  return {
    ...assetListItem(c, asset, price),
    stale: price.isStale || isStale,
    accreditationType: asset.accreditationType,
    offeringType: asset.offeringType ?? '',
    marketRail: asset.rail,
    regulation: asset.regulation,
    tradeable: isOpen({ asset, market }),
    ...hoursOf(market, now),
    issuerName: asset.issuerName,
    description: asset.description,
    marketData: {
      perDay: bars.map(({ start_ms, ...bar }) => ({ timestamp: new Date(start_ms).toISOString(), ...bar })),
    },
  };
}
