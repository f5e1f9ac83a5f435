import type { OrderTerms, OrderType, TimeInForce } from '../orders/order.ts';
import type { TermsFailure } from './terms-failure.ts';

/**
 * What a broker can be asked for: an order at a limit, or at whatever it finds within the collar. The end in time of a GTD order is ours to ask for
 * (docs/design/broker.md#order-types).
 */
const TIMES_IN_FORCE: Readonly<Partial<Record<OrderType, readonly TimeInForce[]>>> = {
  market: ['IOC'],
  limit: ['GTC', 'IOC', 'FOK', 'GTD'],
};

const ROUTED_TYPES = Object.keys(TIMES_IN_FORCE) as readonly OrderType[];

/** Why terms that are an order of the market cannot be handed over, or null. */
export function routedTermsFailure({ type, timeInForce, hidden, displayQuantity }: OrderTerms): TermsFailure | null {
  const allowed = TIMES_IN_FORCE[type];
  if (allowed === undefined) return { reason: 'type_not_allowed', type, allowed: ROUTED_TYPES };
  if (!allowed.includes(timeInForce)) return { reason: 'time_in_force_not_allowed', type, allowed };
  if (hidden) return { reason: 'unexpected_field', field: 'hidden' };
  return displayQuantity === null ? null : { reason: 'unexpected_field', field: 'displayQuantity' };
}
