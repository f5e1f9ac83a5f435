import { createRoute, z } from '@hono/zod-openapi';
import { SIDES } from '../../domain/orders/order.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { cancelAll } from './cancel-all.ts';
import { CancelledOrdersView } from './cancelled-orders.ts';

/** DELETE /v1/orders. */
export function cancelAllOrdersRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'trade' }, bucket: 'cancels', idempotent: true },
    createRoute({
      method: 'delete',
      path: '/v1/orders',
      summary: 'Cancel every open order of the account, or those of a symbol or side',
      // Strict: a condition that is misspelt would be none.
      request: { query: z.object({ symbol: z.string().optional(), side: z.enum(SIDES).optional() }) },
      responses: {
        200: { description: 'What was cancelled.', content: { 'application/json': { schema: CancelledOrdersView } } },
      },
    }),
    async (c) => {
      const { symbol = null, side = null } = c.req.valid('query');
      const cancelled = await cancelAll({ env: c.env, principal: principalOf(c) }, { symbol, side });
      return cancelled.ok ? c.json(cancelled.value, 200) : failure(c, cancelled.error);
    },
  );
}
