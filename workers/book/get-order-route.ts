import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { findOrderAtRoutes } from '../../application/order-entry/routes/execution-routes.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { findBookOrder } from '../../data/orders/book-orders.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { accountOf } from './account-of.ts';
import { Order, orderOf } from './order.ts';

/** GET /v1/orders/{order_id}. */
export function getOrderRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/orders/{order_id}',
      summary: 'An order of the account',
      request: { params: z.object({ order_id: z.string() }) },
      responses: { 200: { description: 'The order.', content: { 'application/json': { schema: Order } } } },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const orderId = c.req.valid('param').order_id;
      const open = await findOrderAtRoutes(c.env, { account: account.value, owner: principalOf(c).owner }, orderId);
      if (open !== null && open !== 'unknown') return c.json(orderOf(open), 200);
      if (!(await settleBeforeRead(c.env, account.value))) return failure(c, notCurrent());
      const found = await findBookOrder(orderStore(c.env), account.value, orderId);
      if (found === null) return failure(c, apiError('ORDER_NOT_FOUND', 'order does not exist'));
      return c.json(orderOf(found), 200);
    },
  );
}
