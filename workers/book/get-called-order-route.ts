import { createRoute, z } from '@hono/zod-openapi';
import { findCalledOrder } from '../../application/order-entry/find-called-order.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { jsonOf } from '../responses/wire.ts';
import { accountOf } from './account-of.ts';
import { bookError } from './book-error.ts';
import { Order } from './order.ts';
import { readOrder } from './read-order.ts';

/** GET /v1/orders/client/{client_order_id}. */
export function getCalledOrderRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/orders/client/{client_order_id}',
      summary: 'An order of the account by its client order id',
      description: 'The open order that carries it, else the latest of the others.',
      request: { params: z.object({ client_order_id: z.string().min(1).max(64) }) },
      responses: { 200: jsonOf('The order.', Order) },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const called = await findCalledOrder(c.env, account.value, c.req.valid('param').client_order_id);
      if (!called.ok) return failure(c, bookError(called.error));
      const order = await readOrder(c, account.value, called.value);
      return order.ok ? c.json(order.value, 200) : failure(c, order.error);
    },
  );
}
