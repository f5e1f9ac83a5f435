import { createRoute } from '@hono/zod-openapi';
import { registerAsset } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { offeringFailure } from '../../../domain/assets/offering-failure.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { AssetRequest, AssetView, assetOf } from './asset-schema.ts';
import { enveloped, OPERATOR_WRITE, venueOnly } from './operator-route.ts';

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
      responses: enveloped('The asset.', AssetView),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const body = c.req.valid('json');
      const unfit = offeringFailure(body);
      if (unfit !== null) {
        const message = `the offering is refused: ${unfit.reason.replaceAll('_', ' ')}`;
        return failure(c, apiError('VALIDATION_ERROR', message, { field: 'accreditationType', ...unfit }));
      }
      const action = actionOf(c);
      const { terms, view } = assetOf(body, action.id, Date.now());
      if (!(await registerAsset(database(c.env.DB), terms, action)))
        return failure(
          c,
          apiError('CONFLICT', 'the id or the symbol is taken', { id: terms.id, symbol: terms.symbol }),
        );
      return c.json({ data: view, message: 'ok' as const }, 200);
    },
  );
}
