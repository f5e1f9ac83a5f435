import type { OrderStatus } from '../orders/order.ts';

/** States of an indication of interest (docs/design/pre-ipo.md#states). */
export const INDICATION_STATES = ['INDICATED', 'WITHDRAWN', 'CONVERTED', 'LAPSED'] as const;

export type IndicationState = (typeof INDICATION_STATES)[number];

/** The code of an order that its own account has cancelled. */
const WITHDRAWN_CODE = 'user';

/** What the status of its order means for an indication; null for one that never was one, having been refused. */
export function indicationStateOf(status: OrderStatus, code: string | null): IndicationState | null {
  switch (status) {
    case 'open':
    case 'pending_trigger':
      return 'INDICATED';
    case 'partially_filled':
    case 'filled':
      return 'CONVERTED';
    case 'cancelled':
      return code === WITHDRAWN_CODE ? 'WITHDRAWN' : 'LAPSED';
    case 'expired':
      return 'LAPSED';
    case 'rejected':
      return null;
  }
}
