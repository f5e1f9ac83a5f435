import { createRoute, z } from '@hono/zod-openapi';
import { readPrices } from '../../application/market-data/asset-prices.ts';
import { type AssetFilter, listAssets, type PlaceInList } from '../../data/catalog/listed-assets.ts';
import { database } from '../../data/database.ts';
import { seesUnsolicited } from '../../domain/accreditation/sees-unsolicited.ts';
import { type AssetCategory, RAILS, type Rail } from '../../domain/assets/asset.ts';
import { assetSearchOf } from '../../domain/assets/asset-search.ts';
import { type AppContext, optionalPrincipalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { limitQuery, pageOf, rowsToRead } from '../responses/paging.ts';
import { CURSOR_WORDS } from '../responses/time-cursor.ts';
import { AssetListItem, assetListItem } from './asset-schema.ts';

const LIST_SECONDS = 3;

/** `<rank>.<symbol>` of the last asset of the page before. */
const CURSOR = /^([0-3])\.(.+)$/;

const filters = {
  marketRail: z.enum(RAILS).optional(),
  tradeable: z.enum(['true', 'false']).optional().openapi({
    description: 'Whether an order is taken now: the asset is open, and so is its route, or its market and the venue.',
  }),
  search: z.string().max(200).optional().openapi({
    description:
      'Words of symbol or name, or beginnings of them, all of which occur; case and accents do not count. First the asset whose symbol it is, then those whose symbol begins with it, then those with all words whole, then the rest; each by symbol.',
  }),
  limit: limitQuery,
  cursor: z.string().max(200).regex(CURSOR, CURSOR_WORDS).optional(),
};

const category = z.enum(['stocks', 'crypto', 'privates', 'pre-ipo', 'fixed-income', 'commodities', 'forex']).optional();

const responses = {
  200: {
    description: 'Approved assets by symbol; those of a search, the best fit first.',
    content: { 'application/json': { schema: z.object({ data: z.array(AssetListItem), message: z.literal('ok') }) } },
  },
};

/** GET /v1/assets, its legacy path, and /v1/stock-summaries, which lists stocks alone. */
export function listAssetsRoute(exchange: Profile): void {
  for (const path of ['/v1/assets', '/v1/exchange-explorer']) {
    registerRoute(
      exchange,
      { access: { credential: 'public' }, bucket: 'public', edge: { seconds: LIST_SECONDS } },
      createRoute({
        method: 'get',
        path,
        tags: ['assets'],
        summary: 'List assets',
        deprecated: path !== '/v1/assets',
        request: { query: z.object({ ...filters, category }) },
        responses,
      }),
      async (c) => c.json(await readAssets(c, c.req.valid('query')), 200),
    );
  }
  registerRoute(
    exchange,
    { access: { credential: 'public' }, bucket: 'public', edge: { seconds: LIST_SECONDS } },
    createRoute({
      method: 'get',
      path: '/v1/stock-summaries',
      tags: ['assets'],
      summary: 'List stocks',
      deprecated: true,
      request: { query: z.object(filters) },
      responses,
    }),
    async (c) => c.json(await readAssets(c, { ...c.req.valid('query'), category: 'stocks' }), 200),
  );
}

interface Query extends Partial<Record<'tradeable' | 'search' | 'cursor', string | undefined>> {
  readonly marketRail?: Rail | undefined;
  readonly category?: AssetCategory | undefined;
  readonly limit?: number | undefined;
}

async function readAssets(c: AppContext, query: Query) {
  const db = database(c.env.DB);
  const filter: AssetFilter = {
    rail: query.marketRail ?? null,
    category: query.category ?? null,
    tradeable: query.tradeable === undefined ? null : query.tradeable === 'true',
    search: assetSearchOf(query.search ?? ''),
    unsolicited: seesUnsolicited(optionalPrincipalOf(c)?.facts ?? null),
    after: placeOf(query.cursor),
    limit: rowsToRead(query.limit),
  };
  const page = pageOf(c, await listAssets(db, filter), query.limit, ({ rank, asset }) => `${rank}.${asset.symbol}`);
  if (filter.unsolicited) c.set('isUnshared', true);
  const priced = await readPrices(c.env, page, Date.now());
  if (priced.some(({ price }) => price.isStale)) c.set('isUnshared', true);
  const data = priced.map(({ asset, price }) => assetListItem(c, asset, price));
  return { data, message: 'ok' as const };
}

function placeOf(cursor: string | undefined): PlaceInList | null {
  const [, rank, symbol] = CURSOR.exec(cursor ?? '') ?? [];
  return rank === undefined || symbol === undefined ? null : { rank: Number(rank), symbol };
}
