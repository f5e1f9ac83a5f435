import type { OrderTerms } from '../orders/order.ts';
import type { TermsFailure } from './terms-failure.ts';

/** Why terms that are an order of the market cannot be an indication of interest, or null: it names the most that would be paid, and stands until it ends. */
export function indicationTermsFailure({ type, timeInForce }: OrderTerms): TermsFailure | null {
  if (type !== 'limit') return { reason: 'type_not_allowed', type, allowed: ['limit'] };
  return timeInForce === 'GTC' ? null : { reason: 'time_in_force_not_allowed', type, allowed: ['GTC'] };
}
