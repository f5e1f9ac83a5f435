import { createRoute, z } from '@hono/zod-openapi';
import { amendOrder } from '../../application/order-entry/amend-order.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { isRepetition, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { bookError } from './book-error.ts';
import { OrderChange, orderChangeOf } from './order-change.ts';

const Amendment = z
  .strictObject({
    size: z.number().nullish().openapi({ description: 'New total size, above what has been filled.' }),
    price: z.number().nullish().openapi({ description: 'New limit.' }),
    stop_price: z.number().nullish().openapi({ description: 'New trigger, of a stop that awaits it.' }),
  })
  .openapi('Amendment');

/** PATCH /v1/orders/{order_id}: every check of placing runs again. Unlike in profile A a partially filled order may be amended. */
export function amendOrderRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'trade' }, bucket: 'private', idempotent: true },
    createRoute({
      method: 'patch',
      path: '/v1/orders/{order_id}',
      summary: 'Change size, price or trigger of an open order',
      description: 'Reducing the size keeps priority, anything else loses it.',
      request: {
        params: z.object({ order_id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: Amendment } } },
      },
      responses: {
        200: { description: 'The amended order.', content: { 'application/json': { schema: OrderChange } } },
      },
    }),
    async (c) => {
      const { size = null, price = null, stop_price: stopPrice = null } = c.req.valid('json');
      if (size === null && price === null && stopPrice === null) {
        return failure(c, apiError('VALIDATION_ERROR', 'name a new size, price or stop_price'));
      }
      const outcome = await amendOrder(
        { env: c.env, principal: principalOf(c), isRepetition: isRepetition(c) },
        { orderId: c.req.valid('param').order_id, quantity: size, price, stopPrice, unfilledOnly: false },
      );
      if (!outcome.ok) return failure(c, bookError(outcome.error));
      const { report, market, terms } = outcome.value;
      return c.json(orderChangeOf(report, market, terms), 200);
    },
  );
}
