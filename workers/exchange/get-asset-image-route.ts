import { createRoute, z } from '@hono/zod-openapi';
import { getAssetImage } from '../../data/catalog/asset-images.ts';
import { findAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { monogramOf } from '../../domain/assets/monogram.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { visibleAsset } from './visible-asset.ts';

/** Seconds. An image is known by its asset, so a new one is seen after this. */
const FRESH_S = 300;
const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

/** GET /v1/assets/{id}/image: what `image` of an asset points to, unless that lies elsewhere. One without an image has its monogram. */
export function getAssetImageRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    {
      access: { credential: 'public' },
      bucket: 'public',
      passesOverQuery: 'pages ask for an image anew by a query of their own',
    },
    createRoute({
      method: 'get',
      path: '/v1/assets/{id}/image',
      tags: ['assets'],
      summary: 'Image of an asset',
      request: { params: z.object({ id: z.string() }) },
      responses: {
        200: {
          description: 'The image; an SVG of the symbol where none was uploaded.',
          content: { 'image/png': BINARY, 'image/jpeg': BINARY, 'image/webp': BINARY, 'image/svg+xml': BINARY },
        },
      },
    }),
    async (c) => {
      const visible = await visibleAsset(c, c.req.valid('param').id);
      if (!visible.ok) return failure(c, visible.error);
      const asset = (await findAsset(database(c.env.DB), visible.instrument.asset.id)) ?? visible.instrument.asset;
      const stored = asset.imageObject === null ? null : await getAssetImage(c.env.ASSET_IMAGES, asset.imageObject);
      const headers = {
        'content-type': stored?.type ?? 'image/svg+xml',
        // An offering under 506(b) is not for everybody, so nobody else may keep its image.
        'cache-control': asset.accreditationType === '506b' ? 'private, no-store' : `public, max-age=${FRESH_S}`,
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'x-content-type-options': 'nosniff',
      };
      return c.body(stored?.body ?? monogramOf(asset.symbol), 200, headers);
    },
  );
}
