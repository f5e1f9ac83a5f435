import { createRoute, z } from '@hono/zod-openapi';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { accountOf } from './account-of.ts';
import { Order } from './order.ts';
import { readOrder } from './read-order.ts';

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
      const order = await readOrder(c, account.value, c.req.valid('param').order_id);
      return order.ok ? c.json(order.value, 200) : failure(c, order.error);
    },
  );
}
