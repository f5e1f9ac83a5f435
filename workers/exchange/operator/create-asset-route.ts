import { createRoute } from '@hono/zod-openapi';
import { listAsset } from '../../../application/operator/list-asset.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { AssetRequest, AssetView, assetView, scaledReference } from './asset-schema.ts';
import { OPERATOR_WRITE } from './operator-route.ts';

/** POST /v1/operator/assets: lists an asset; orders need a market besides, where it executes on a book of ours. */
export function createAssetRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/assets',
      tags: ['operator'],
      summary: 'List an asset',
      request: { body: { required: true, content: { 'application/json': { schema: AssetRequest } } } },
      responses: { 200: envelopeOf('The asset.', AssetView) },
    }),
    async (c) => {
      const { referencePrice, ...stated } = c.req.valid('json');
      const asset = { ...stated, referencePrice: scaledReference(referencePrice) };
      const listed = await listAsset(c.env, asset, actionOf(c));
      return listed.ok ? c.json(enveloped(assetView(listed.value)), 200) : failure(c, listed.error);
    },
  );
}
