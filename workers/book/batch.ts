import { z } from '@hono/zod-openapi';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { STATUS_OF } from '../responses/failure.ts';

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

/** Whether a repetition may be told something else of one order of a batch: alone, it would have been answered with a 5xx. */
export function isOpen(result: object | { readonly error: ApiError }): boolean {
  return 'error' in result && STATUS_OF[result.error.code] >= 500;
}
