import { createRoute, z } from '@hono/zod-openapi';
import { noSuchAsset } from '../../../application/operator/not-found.ts';
import { findAsset, listAssetsInEveryState } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { ASSET_CATEGORIES, ASSET_STATUSES } from '../../../domain/assets/asset.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { AssetView, assetView } from './asset-schema.ts';
import { VENUE_READ } from './operator-route.ts';

const SEARCH_LENGTH_MAX = 100;

/** GET /v1/operator/assets: also those that nobody else sees, because they are under review, suspended or delisted. */
export function listAssetsOfVenueRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/assets',
      tags: ['operator'],
      summary: 'Assets in every state',
      request: {
        query: z.object({
          status: z.enum(ASSET_STATUSES).optional(),
          category: z.enum(ASSET_CATEGORIES).optional(),
          search: z
            .string()
            .trim()
            .min(1)
            .max(SEARCH_LENGTH_MAX)
            .optional()
            .openapi({ description: 'Stands in the name, or begins the symbol.' }),
          limit: limitQuery,
          cursor: z.string().optional().openapi({ description: 'Symbol of the last asset of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Assets by symbol.', z.array(AssetView)) },
    }),
    async (c) => {
      const { status = null, category = null, search = null, limit, cursor } = c.req.valid('query');
      const found = await listAssetsInEveryState(database(c.env.DB), {
        status,
        category,
        search,
        after: cursor ?? null,
        limit: rowsToRead(limit),
      });
      return c.json(enveloped(pageOf(c, found, limit, ({ symbol }) => symbol).map(assetView)), 200);
    },
  );
}

/** GET /v1/operator/assets/{id}: one of them, whatever its state. */
export function getAssetOfVenueRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['ASSET_NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/assets/{id}',
      tags: ['operator'],
      summary: 'An asset in any state',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('The asset.', AssetView) },
    }),
    async (c) => {
      const asset = await findAsset(database(c.env.DB), c.req.valid('param').id);
      return asset?.rail == null ? failure(c, noSuchAsset()) : c.json(enveloped(assetView(asset)), 200);
    },
  );
}
