import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../data/database.ts';
import { listBars } from '../../data/markets/bars.ts';
import { BAR_INTERVALS, type BarInterval } from '../../domain/charts/bar-interval.ts';
import { CHART_BARS_MAX, CHART_RANGES, type ChartRange, chartWindow } from '../../domain/charts/chart-window.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { visibleAsset } from './visible-asset.ts';

/** X-BAR-01, X-BAR-02. */
const ChartBar = z
  .object({
    time: z.int().openapi({ description: 'Start of the bar, Unix milliseconds.' }),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number(),
  })
  .openapi('ChartBar');

const window = {
  range: z.enum(CHART_RANGES).optional().openapi({ description: 'Defaults to 1d.' }),
  interval: z
    .enum(BAR_INTERVALS)
    .optional()
    .openapi({ description: `Defaults to one that fits the range; more than ${CHART_BARS_MAX} bars are refused.` }),
};

const responses = {
  200: {
    description: 'Bars with trades in them, oldest first.',
    content: { 'application/json': { schema: z.object({ data: z.array(ChartBar) }) } },
  },
};

/** GET /v1/assets/{id}/chart and its legacy path, which takes the asset in the query. */
export function getChartRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/assets/{id}/chart',
      tags: ['assets'],
      summary: 'Bars of an asset',
      request: { params: z.object({ id: z.string() }), query: z.object(window) },
      responses,
    }),
    async (c) => {
      const chart = await readChart(c, { assetId: c.req.valid('param').id, ...c.req.valid('query') });
      return chart.ok ? c.json({ data: chart.bars }, 200) : failure(c, chart.error);
    },
  );
  registerRoute(
    exchange,
    { access: { credential: 'public' }, bucket: 'public', errors: ['ASSET_NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/asset-chats',
      tags: ['assets'],
      summary: 'Bars of an asset',
      deprecated: true,
      request: { query: z.object({ assetId: z.string(), ...window }) },
      responses,
    }),
    async (c) => {
      const chart = await readChart(c, c.req.valid('query'));
      return chart.ok ? c.json({ data: chart.bars }, 200) : failure(c, chart.error);
    },
  );
}

type Chart =
  | { readonly ok: true; readonly bars: z.infer<typeof ChartBar>[] }
  | { readonly ok: false; readonly error: ApiError };

async function readChart(
  c: AppContext,
  wanted: { assetId: string; range?: ChartRange | undefined; interval?: BarInterval | undefined },
): Promise<Chart> {
  const visible = await visibleAsset(c, wanted.assetId);
  if (!visible.ok) return visible;
  const found = chartWindow(wanted.range, wanted.interval, Date.now());
  if (!found.ok)
    return {
      ok: false,
      error: apiError('VALIDATION_ERROR', 'the range has too many bars of this interval', { ...found.error }),
    };
  const { asset, market } = visible.instrument;
  if (market === null) return { ok: true, bars: [] };
  const { interval, from } = found.value;
  const rows = await listBars(database(c.env.DB), { book: market.symbol, interval, from, limit: CHART_BARS_MAX });
  const price = (scaled: number) => fromScaled(scaled, market.priceScale);
  const bars = rows.map((row) => ({
    time: row.bucket,
    open: price(row.open),
    high: price(row.high),
    low: price(row.low),
    close: price(row.close),
    volume: fromScaled(row.volume, asset.scale),
  }));
  return { ok: true, bars };
}
