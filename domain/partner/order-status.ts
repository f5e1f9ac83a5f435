import type { OrderStatus } from '../orders/order.ts';

/** States of an order as partners read them. */
export const PARTNER_ORDER_STATUSES = [
  'pending',
  'open',
  'partially_filled',
  'filled',
  'cancelled',
  'rejected',
  'expired',
] as const;

export type PartnerOrderStatus = (typeof PARTNER_ORDER_STATUSES)[number];

/** The exchange's own words, but for an order that waits for its trigger. */
export function partnerOrderStatusOf(status: OrderStatus): PartnerOrderStatus {
  return status === 'pending_trigger' ? 'pending' : status;
}
