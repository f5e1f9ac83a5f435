import { createRoute } from '@hono/zod-openapi';
import { placeOrder } from '../../application/order-entry/place-order.ts';
import { principalOf, resourceIdOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { bookError } from './book-error.ts';
import { Order, placedOrder } from './order.ts';
import { OrderRequestBody, orderRequestOf } from './order-request-body.ts';

/** POST /v1/orders: answers once the book has the order, in the state that it then is in. */
export function placeOrderRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'trade' }, bucket: 'orders', idempotent: true },
    createRoute({
      method: 'post',
      path: '/v1/orders',
      summary: 'Place an order',
      request: { body: { required: true, content: { 'application/json': { schema: OrderRequestBody } } } },
      responses: {
        200: { description: 'The order as the book has left it.', content: { 'application/json': { schema: Order } } },
      },
    }),
    async (c) => {
      const asked = orderRequestOf(c.req.valid('json'), resourceIdOf(c));
      if (!asked.ok) return failure(c, asked.error);
      const request = asked.value;
      const outcome = await placeOrder({ env: c.env, principal: principalOf(c) }, request);
      if (!outcome.ok) return failure(c, bookError(outcome.error.failure, outcome.error.orderId));
      return c.json(placedOrder(outcome.value, request.clientOrderId), 200);
    },
  );
}
