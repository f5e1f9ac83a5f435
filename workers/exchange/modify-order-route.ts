import { createRoute, z } from '@hono/zod-openapi';
import { amendOrder } from '../../application/order-entry/amend-order.ts';
import { isRepetition, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { orderFailure } from './order-failure.ts';
import { Order, readOrderView } from './order-schema.ts';
import { readOrder } from './read-order.ts';

const Modification = z
  .strictObject({
    quantity: z.number().positive().optional(),
    limitPrice: z.number().positive().optional(),
    stopPrice: z.number().positive().optional().openapi({ description: 'Of a stop that awaits its trigger.' }),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'quantity, limitPrice or stopPrice',
  })
  .openapi('OrderModification');

/** PUT /v1/orders/{id}. */
export function modifyOrderRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private', idempotent: true },
    createRoute({
      method: 'put',
      path: '/v1/orders/{id}',
      tags: ['orders'],
      summary: 'Modify a pending order',
      description: 'Every check of placing runs again; where one fails the order stays as it was.',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: Modification } } },
      },
      responses: {
        200: {
          description: 'The order as modified.',
          content: { 'application/json': { schema: z.object({ data: Order, message: z.literal('ok') }) } },
        },
        202: {
          description:
            'The broker was asked and has not confirmed yet: the order as it stands, whose terms change when it does.',
          content: { 'application/json': { schema: z.object({ data: Order, message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const { quantity = null, limitPrice = null, stopPrice = null } = c.req.valid('json');
      const outcome = await amendOrder(
        { env: c.env, principal: principalOf(c), isRepetition: isRepetition(c) },
        { orderId: id, quantity, price: limitPrice, stopPrice, unfilledOnly: true },
      );
      if (!outcome.ok) return orderFailure(c, outcome.error);
      const found = await readOrder(c, id);
      if (!found.ok) return failure(c, found.error);
      const status = outcome.value.isApplied ? 200 : 202;
      return c.json({ data: await readOrderView(c.env, found.value), message: 'ok' as const }, status);
    },
  );
}
