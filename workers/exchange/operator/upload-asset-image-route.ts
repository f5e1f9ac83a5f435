import { createRoute, z } from '@hono/zod-openapi';
import { ASSET_IMAGE_BYTES_MAX, uploadAssetImage } from '../../../application/operator/asset-image.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { freshActionOf } from './action-of.ts';
import { AssetView, assetView } from './asset-schema.ts';
import { OPERATOR_WRITE_UNKEPT } from './operator-route.ts';

const IMAGE = { schema: { type: 'string', format: 'binary' } } as const;

/** PUT /v1/operator/assets/{id}/image: the image itself as the body. Sent again it changes nothing. */
export function uploadAssetImageRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...OPERATOR_WRITE_UNKEPT, bodyBytesMax: ASSET_IMAGE_BYTES_MAX },
    createRoute({
      method: 'put',
      path: '/v1/operator/assets/{id}/image',
      tags: ['operator'],
      summary: 'Upload the image of an asset',
      description:
        'PNG, JPEG or WebP, told by its content, at most 512 KiB. It takes the place of an address in `image`.',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'image/png': IMAGE, 'image/jpeg': IMAGE, 'image/webp': IMAGE } },
      },
      responses: { 200: envelopeOf('The asset.', AssetView) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const uploaded = await uploadAssetImage(c.env, { id, image: await c.req.arrayBuffer() }, freshActionOf(c));
      return uploaded.ok ? c.json(enveloped(assetView(uploaded.value)), 200) : failure(c, uploaded.error);
    },
  );
}
