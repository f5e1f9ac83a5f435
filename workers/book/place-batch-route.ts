import { createRoute, z } from '@hono/zod-openapi';
import type { OrderRequest } from '../../application/order-entry/order-request.ts';
import { placeOrders } from '../../application/order-entry/place-orders.ts';
import type { PlacementOutcome } from '../../application/order-entry/placement.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { principalOf, resourceIdOf } from '../middleware/app-env.ts';
import { isGateway } from '../middleware/client-address.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { BATCH_MAX, ErrorResult, isOpen, sizeOfBatch } from './batch.ts';
import { batchOrderId } from './batch-order-id.ts';
import { bookError } from './book-error.ts';
import { Order, placedOrder } from './order.ts';
import { OrderRequestBody, orderRequestOf } from './order-request-body.ts';

const Results = z
  .object({ results: z.array(z.union([z.object({ order: Order }), ErrorResult])) })
  .openapi('PlacementResults');

type Result = { readonly order: Order } | { readonly error: ApiError };

/** POST /v1/orders/batch: draws one placement for each order. A malformed order refuses the whole batch before anything is placed. */
export function placeBatchRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'key', scope: 'trade' },
      bucket: 'orders',
      cost: (body) => sizeOfBatch(body, 'orders'),
      idempotent: true,
    },
    createRoute({
      method: 'post',
      path: '/v1/orders/batch',
      summary: 'Place up to 100 orders, each by itself',
      request: {
        body: {
          required: true,
          content: {
            'application/json': { schema: z.strictObject({ orders: z.array(OrderRequestBody).min(1).max(BATCH_MAX) }) },
          },
        },
      },
      responses: {
        200: {
          description: 'One result for each order, in their sequence.',
          content: { 'application/json': { schema: Results } },
        },
      },
    }),
    async (c) => {
      const requestId = resourceIdOf(c);
      const asked = c.req
        .valid('json')
        .orders.map((body, index) => orderRequestOf(body, batchOrderId(requestId, index), isGateway(c)));
      const requests = asked.flatMap((one) => (one.ok ? one.value : []));
      const outcomes = (await placeOrders({ env: c.env, principal: principalOf(c) }, requests)).values();
      const results = asked.map((one): Result => {
        if (!one.ok) return { error: one.error };
        const outcome = outcomes.next().value;
        if (outcome === undefined) throw new Error('placeOrders answers every request');
        return resultOf(one.value, outcome);
      });
      c.set('outcomeOpen', results.some(isOpen));
      return c.json({ results }, 200);
    },
  );
}

function resultOf(request: OrderRequest, outcome: PlacementOutcome): Result {
  if (!outcome.ok) return { error: bookError(outcome.error.failure, outcome.error.orderId) };
  return { order: placedOrder(outcome.value, request.clientOrderId) };
}
