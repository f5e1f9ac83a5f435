import { createRoute, z } from '@hono/zod-openapi';
import { type CancellationOutcome, cancelOrders } from '../../application/order-entry/cancel-orders.ts';
import { marketScalesOf } from '../../application/order-entry/market-scales-of.ts';
import { isRepetition, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { BATCH_MAX, ErrorResult, isOpen, sizeOfBatch } from './batch.ts';
import { bookError } from './book-error.ts';
import { OrderChange, orderChangeOf } from './order-change.ts';

const Results = z
  .object({ results: z.array(z.union([z.object({ order: OrderChange }), ErrorResult])) })
  .openapi('CancellationResults');

/** DELETE /v1/orders/batch: draws one cancel for each order. */
export function cancelBatchRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'key', scope: 'trade' },
      bucket: 'cancels',
      idempotent: true,
      cost: (body) => sizeOfBatch(body, 'order_ids'),
    },
    createRoute({
      method: 'delete',
      path: '/v1/orders/batch',
      summary: 'Cancel up to 100 orders, each by itself',
      request: {
        body: {
          required: true,
          content: {
            'application/json': {
              schema: z.strictObject({ order_ids: z.array(z.string().max(64)).min(1).max(BATCH_MAX) }),
            },
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
      const orderIds = c.req.valid('json').order_ids;
      const context = { env: c.env, principal: principalOf(c), isRepetition: isRepetition(c) };
      const outcomes = await cancelOrders(context, orderIds);
      const results = await Promise.all(outcomes.map((outcome) => resultOf(c.env, outcome)));
      c.set('outcomeOpen', results.some(isOpen));
      return c.json({ results }, 200);
    },
  );
}

async function resultOf(env: Env, outcome: CancellationOutcome) {
  if (!outcome.ok) return { error: bookError(outcome.error) };
  const { report, symbol, terms } = outcome.value;
  return { order: orderChangeOf(report, await marketScalesOf(env, symbol), terms) };
}
