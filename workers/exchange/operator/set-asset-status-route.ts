import { createRoute, z } from '@hono/zod-openapi';
import { setAssetStatus } from '../../../application/operator/change-asset.ts';
import { ASSET_STATUSES } from '../../../domain/assets/asset.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { AssetChangeView, assetChangeView } from './asset-schema.ts';
import { OPERATOR_WRITE, Reason } from './operator-route.ts';

const StatusRequest = z
  .strictObject({ status: z.enum(ASSET_STATUSES), reason: Reason })
  .openapi('OperatorAssetStatusRequest');

/** POST /v1/operator/assets/{id}/status: approves, suspends or delists it. */
export function setAssetStatusRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/assets/{id}/status',
      tags: ['operator'],
      summary: 'Approve, suspend or delist an asset',
      description:
        'Suspending halts its markets and delisting closes them for good; both cancel their open orders. Markets of an asset that is approved again are resumed one by one.',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: StatusRequest } } },
      },
      responses: { 200: envelopeOf('The asset, and the markets that were halted or closed.', AssetChangeView) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const changed = await setAssetStatus(c.env, { id, ...c.req.valid('json') }, actionOf(c));
      return changed.ok ? c.json(enveloped(assetChangeView(changed.value)), 200) : failure(c, changed.error);
    },
  );
}
