import { createRoute, z } from '@hono/zod-openapi';
import { listAssetsInEveryState } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { ASSET_STATUSES } from '../../../domain/assets/asset.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { AssetView, assetView } from './asset-schema.ts';
import { VENUE_READ } from './operator-route.ts';

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
          limit: limitQuery,
          cursor: z.string().optional().openapi({ description: 'Symbol of the last asset of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Assets by symbol.', z.array(AssetView)) },
    }),
    async (c) => {
      const { status = null, limit, cursor } = c.req.valid('query');
      const found = await listAssetsInEveryState(database(c.env.DB), {
        status,
        after: cursor ?? null,
        limit: rowsToRead(limit),
      });
      return c.json(enveloped(pageOf(c, found, limit, ({ symbol }) => symbol).map(assetView)), 200);
    },
  );
}
