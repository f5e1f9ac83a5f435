import { createRoute, z } from '@hono/zod-openapi';
import { cancelOrder } from '../../application/order-entry/cancel-order.ts';
import { findCalledOrder } from '../../application/order-entry/find-called-order.ts';
import { marketScalesOf } from '../../application/order-entry/market-scales-of.ts';
import { isRepetition, principalOf, resourceIdOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { jsonOf } from '../responses/wire.ts';
import { accountOf } from './account-of.ts';
import { bookError } from './book-error.ts';
import { OrderChange, orderChangeOf } from './order-change.ts';

/** DELETE /v1/orders/client/{client_order_id}. */
export function cancelCalledOrderRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'trade' }, bucket: 'cancels', idempotent: true },
    createRoute({
      method: 'delete',
      path: '/v1/orders/client/{client_order_id}',
      summary: 'Cancel an order by its client order id',
      description: 'The open order that carries it. An order that is final is refused.',
      request: { params: z.object({ client_order_id: z.string().min(1).max(64) }) },
      responses: { 200: jsonOf('The cancelled order.', OrderChange) },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const placedBefore = isRepetition(c) ? resourceIdOf(c) : null;
      const name = c.req.valid('param').client_order_id;
      const called = await findCalledOrder(c.env, account.value, name, placedBefore);
      if (!called.ok) return failure(c, bookError(called.error));
      const context = { env: c.env, principal: principalOf(c), isRepetition: isRepetition(c) };
      const outcome = await cancelOrder(context, called.value);
      if (!outcome.ok) return failure(c, bookError(outcome.error));
      const { report, symbol, terms } = outcome.value;
      return c.json(orderChangeOf(report, await marketScalesOf(c.env, symbol), terms), 200);
    },
  );
}
