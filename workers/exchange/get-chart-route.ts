import { createRoute, z } from '@hono/zod-openapi';
import { readBars } from '../../application/market-data/asset-bars.ts';
import { BAR_INTERVALS, type BarInterval } from '../../domain/charts/bar-interval.ts';
import { CHART_BARS_MAX, CHART_RANGES, type ChartRange, chartWindow } from '../../domain/charts/chart-window.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import type { EdgeCaching } from '../middleware/edge-cache.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { askedTooOften } from './asked-too-often.ts';
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

const Chart = z
  .object({
    data: z.array(ChartBar),
    stale: z.boolean().openapi({
      description:
        'The source of the bars is away: these are what it told last, or none. 503 where it was asked too often and has told none.',
    }),
  })
  .openapi('Chart');

/** The last bar moves with every trade: the longer bars are, the less its age shows. */
const CHART_SECONDS: Readonly<Record<BarInterval, number>> = { '1m': 5, '5m': 5, '15m': 10, '1h': 15, '1d': 15 };

const edge: EdgeCaching = {
  seconds: (query) => {
    const { range, interval } = z.object(window).parse(query);
    const found = chartWindow(range, interval, Date.now());
    return found.ok ? CHART_SECONDS[found.value.interval] : 0;
  },
};

const responses = {
  200: {
    description: 'Bars with trades in them, oldest first.',
    content: { 'application/json': { schema: Chart } },
  },
};

/** GET /v1/assets/{id}/chart and its legacy path, which takes the asset in the query. */
export function getChartRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'public' }, bucket: 'public', edge },
    createRoute({
      method: 'get',
      path: '/v1/assets/{id}/chart',
      tags: ['assets'],
      summary: 'Bars of an asset',
      request: { params: z.object({ id: z.string() }), query: z.object(window) },
      responses,
    }),
    async (c) => {
      const read = await readChart(c, { assetId: c.req.valid('param').id, ...c.req.valid('query') });
      return read.ok ? c.json(read.chart, 200) : failure(c, read.error);
    },
  );
  registerRoute(
    exchange,
    { access: { credential: 'public' }, bucket: 'public', errors: ['ASSET_NOT_FOUND'], edge },
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
      const read = await readChart(c, c.req.valid('query'));
      return read.ok ? c.json(read.chart, 200) : failure(c, read.error);
    },
  );
}

type ReadChart =
  | { readonly ok: true; readonly chart: z.infer<typeof Chart> }
  | { readonly ok: false; readonly error: ApiError };

async function readChart(
  c: AppContext,
  wanted: { assetId: string; range?: ChartRange | undefined; interval?: BarInterval | undefined },
): Promise<ReadChart> {
  const visible = await visibleAsset(c, wanted.assetId);
  if (!visible.ok) return visible;
  const now = Date.now();
  const found = chartWindow(wanted.range, wanted.interval, now);
  if (!found.ok)
    return {
      ok: false,
      error: apiError('VALIDATION_ERROR', 'the range has too many bars of this interval', { ...found.error }),
    };
  const read = await readBars(c.env, visible.instrument, found.value, now);
  if (!read.ok) return { ok: false, error: askedTooOften(c, read.error) };
  const { bars, isStale } = read.value;
  if (isStale) c.set('isUnshared', true);
  const data = bars.map(({ start_ms, ...bar }) => ({ time: start_ms, ...bar }));
  return { ok: true, chart: { data, stale: isStale } };
}
