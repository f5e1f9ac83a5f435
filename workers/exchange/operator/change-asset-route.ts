import { createRoute, z } from '@hono/zod-openapi';
import { editAsset } from '../../../application/operator/change-asset.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { AssetChangeView, AssetEdit, assetChangeView, scaledReference } from './asset-schema.ts';
import { OPERATOR_WRITE } from './operator-route.ts';

/** PATCH /v1/operator/assets/{id}: what it says of itself, and the rules that its orders are checked by. */
export function changeAssetRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'patch',
      path: '/v1/operator/assets/{id}',
      tags: ['operator'],
      summary: 'Edit an asset',
      description:
        'Another accreditation type cancels the open bids of those whom it no longer lets buy. Symbol, category and scale are for good, and so is the regulation once somebody holds the asset or it was traded.',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: AssetEdit } } },
      },
      responses: { 200: envelopeOf('The asset, and what became of its orders.', AssetChangeView) },
    }),
    async (c) => {
      const { reason, referencePrice, ...stated } = c.req.valid('json');
      const scaled = referencePrice === undefined ? {} : { referencePrice: scaledReference(referencePrice) };
      const named = Object.entries({ ...stated, ...scaled }).filter(([, value]) => value !== undefined);
      const edit = Object.fromEntries(named);
      const { id } = c.req.valid('param');
      const changed = await editAsset(c.env, { id, edit, reason }, actionOf(c));
      return changed.ok ? c.json(enveloped(assetChangeView(changed.value)), 200) : failure(c, changed.error);
    },
  );
}
