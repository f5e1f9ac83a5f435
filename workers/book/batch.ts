import { z } from '@hono/zod-openapi';

/** Orders of one batch request. */
export const BATCH_MAX = 100;

/** What a batch answers for an order that was not placed or cancelled. */
export const ErrorResult = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }),
});

/** What a batch costs: one for each of its orders, read from a body that is not validated yet. */
export function sizeOfBatch(body: unknown, field: 'orders' | 'order_ids'): number {
  const list = (body as Readonly<Record<string, unknown>> | null)?.[field];
  return Array.isArray(list) ? list.length : 1;
}
