import { createRoute, z } from '@hono/zod-openapi';
import { AVAILABLE_ROUTES } from '../../application/order-entry/routes/execution-routes.ts';
import type { Instrument } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import { latestDayBars, listBars } from '../../data/markets/bars.ts';
import { ACCREDITATION_TYPES } from '../../domain/assets/asset.ts';
import { routeOfAsset } from '../../domain/assets/route-of.ts';
import { chartWindow } from '../../domain/charts/chart-window.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { instrumentFailure } from '../../domain/order-entry/instrument-failure.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { AssetListItem, assetListItem } from './asset-schema.ts';
import { visibleAsset } from './visible-asset.ts';

/** Days of `marketData.perDay`. */
const DAYS_MAX = 366;

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
  issuerName: z.string().nullable(),
  description: z.string().nullable(),
  marketData: z.object({ perDay: z.array(DayBar) }),
}).openapi('AssetDetail');

/** GET /v1/assets/{id} and its legacy path. */
export function getAssetRoute(exchange: Profile): void {
  for (const path of ['/v1/assets/{id}', '/v1/exchange-assets/{id}']) {
    registerRoute(
      exchange,
      { access: { credential: 'public' }, bucket: 'public' },
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
        return c.json({ data: await readDetail(c, visible.instrument) }, 200);
      },
    );
  }
}

/** Whether an order is taken now: the asset is open, and so is its route, or its market and the venue. */
function isOpen(instrument: Pick<Instrument, 'asset' | 'market'>): boolean {
  const route = routeOfAsset(instrument.asset);
  return AVAILABLE_ROUTES.includes(route) && instrumentFailure(instrument, route) === null;
}

async function readDetail(c: AppContext, { asset, market }: Instrument): Promise<z.infer<typeof AssetDetail>> {
  const db = database(c.env.DB);
  const now = Date.now();
  const window = chartWindow('1y', '1d', now);
  const symbol = market?.symbol ?? '';
  const [latest, bars] = await Promise.all([
    latestDayBars(db, [symbol]),
    window.ok ? listBars(db, { book: symbol, interval: '1d', from: window.value.from, limit: DAYS_MAX }) : [],
  ]);
  const price = (scaled: number) => fromScaled(scaled, market?.priceScale ?? 0);
  return {
    ...assetListItem(c, asset, market, latest.get(symbol) ?? [], now),
    accreditationType: asset.accreditationType,
    offeringType: asset.offeringType ?? '',
    marketRail: asset.rail,
    regulation: asset.regulation,
    tradeable: isOpen({ asset, market }),
    issuerName: asset.issuerName,
    description: asset.description,
    marketData: {
      perDay: bars.map((bar) => ({
        timestamp: new Date(bar.bucket).toISOString(),
        open: price(bar.open),
        high: price(bar.high),
        low: price(bar.low),
        close: price(bar.close),
        volume: fromScaled(bar.volume, asset.scale),
      })),
    },
  };
}
