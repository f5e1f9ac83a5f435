import type { z } from '@hono/zod-openapi';
import { type MassCancellation, massCancel } from '../../application/order-entry/mass-cancel.ts';
import type { OrderEntryContext } from '../../application/order-entry/order-entry-context.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { bookError } from './book-error.ts';
import { type CancelledOrdersView, cancelledOrdersView } from './cancelled-orders.ts';
import { ownSymbolError } from './own-symbol-error.ts';

/**
 * Cancels every open order of the caller's account that is wanted, for every door of this profile. A symbol that is none is refused: to whoever misspelt
 * it, "nothing was open" would read as "nothing stands".
 */
export async function cancelAll(
  context: OrderEntryContext,
  wanted: MassCancellation,
): Promise<Result<z.infer<typeof CancelledOrdersView>, ApiError>> {
  const unknown = wanted.symbol === null ? null : await ownSymbolError(context, wanted.symbol);
  if (unknown !== null) return err(unknown);
  const outcome = await massCancel(context, wanted);
  if (outcome.ok) return ok(cancelledOrdersView(outcome.value));
  const error = bookError(outcome.error.failure);
  return err({ ...error, details: { ...error.details, ...cancelledOrdersView(outcome.error.cancelled) } });
}
