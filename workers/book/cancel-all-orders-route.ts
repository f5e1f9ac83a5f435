import { createRoute, z } from '@hono/zod-openapi';
import { massCancel } from '../../application/order-entry/mass-cancel.ts';
import { SIDES } from '../../domain/orders/order.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { bookError } from './book-error.ts';
import { CancelledOrdersView, cancelledOrdersView } from './cancelled-orders.ts';
import { ownSymbolError } from './own-symbol-error.ts';

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
      const unknown = symbol === null ? null : await ownSymbolError(c, symbol);
      if (unknown !== null) return failure(c, unknown);
      const outcome = await massCancel({ env: c.env, principal: principalOf(c) }, { symbol, side });
      if (!outcome.ok) {
        const error = bookError(outcome.error.failure);
        return failure(c, { ...error, details: { ...error.details, ...cancelledOrdersView(outcome.error.cancelled) } });
      }
      return c.json(cancelledOrdersView(outcome.value), 200);
    },
  );
}
