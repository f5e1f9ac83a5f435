import { createRoute, z } from '@hono/zod-openapi';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { Order, readOrderView } from './order-schema.ts';
import { readOrder } from './read-order.ts';

/** GET /v1/orders/{id}. */
export function getOrderRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/orders/{id}',
      tags: ['orders'],
      summary: 'An order of the caller',
      request: { params: z.object({ id: z.string() }) },
      responses: {
        200: { description: 'The order.', content: { 'application/json': { schema: z.object({ data: Order }) } } },
      },
    }),
    async (c) => {
      const found = await readOrder(c, c.req.valid('param').id);
      return found.ok ? c.json({ data: await readOrderView(c.env, found.value) }, 200) : failure(c, found.error);
    },
  );
}
