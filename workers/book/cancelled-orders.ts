import { z } from '@hono/zod-openapi';
import type { CancelledOrders } from '../../application/order-book/cancel-in-books.ts';
import { CancelledIds, PendingIds } from '../responses/cancelled-order-ids.ts';

/** What a mass cancel has come to. */
export const CancelledOrdersView = z
  .object({ order_ids: CancelledIds, pending_order_ids: PendingIds })
  .openapi('CancelledOrders');

export function cancelledOrdersView(cancelled: CancelledOrders): z.infer<typeof CancelledOrdersView> {
  return { order_ids: [...cancelled.orderIds], pending_order_ids: [...cancelled.pendingOrderIds] };
}
