import { createRoute, z } from '@hono/zod-openapi';
import { cancelOrder } from '../../application/order-entry/cancel-order.ts';
import { marketScalesOf } from '../../application/order-entry/market-scales-of.ts';
import { isRepetition, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { bookError } from './book-error.ts';
import { OrderChange, orderChangeOf } from './order-change.ts';

/** DELETE /v1/orders/{order_id}. */
export function cancelOrderRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'trade' }, bucket: 'cancels', idempotent: true },
    createRoute({
      method: 'delete',
      path: '/v1/orders/{order_id}',
      summary: 'Cancel an order',
      description:
        'An order that is final is refused; a repetition under the same Idempotency-Key is answered as the first request.',
      request: {
        params: z.object({ order_id: z.string() }),
        query: z.object({
          symbol: z.string().optional().openapi({ description: 'Cancels the order only if it stands on this symbol.' }),
        }),
      },
      responses: {
        200: { description: 'The cancelled order.', content: { 'application/json': { schema: OrderChange } } },
      },
    }),
    async (c) => {
      const { symbol = null } = c.req.valid('query');
      const outcome = await cancelOrder(
        { env: c.env, principal: principalOf(c), isRepetition: isRepetition(c) },
        c.req.valid('param').order_id,
        symbol,
      );
      if (!outcome.ok) return failure(c, bookError(outcome.error));
      const { report, symbol: market, terms } = outcome.value;
      return c.json(orderChangeOf(report, await marketScalesOf(c.env, market), terms), 200);
    },
  );
}
