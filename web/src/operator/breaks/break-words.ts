import type { BrokerBreak, BrokerDifference, Found } from '../desk-queries.ts';

/** What of its execution a break does not say: it has to be stated to book it. */
export function missingTerms({
  side,
  price,
  quantity,
}: Pick<BrokerBreak, 'side' | 'price' | 'quantity'>): readonly ('side' | 'price' | 'quantity')[] {
  return [
    ...(side === null ? ['side' as const] : []),
    ...(price === null ? ['price' as const] : []),
    ...(quantity === null ? ['quantity' as const] : []),
  ];
}

/** Of what was found by a break's order id: the account that placed that order; null where there is no such order. */
export function accountOfOrder(
  found: readonly Pick<Found, 'kind' | 'id' | 'accountId'>[],
  orderId: string,
): string | null {
  return found.find(({ kind, id }) => kind === 'order' && id === orderId)?.accountId ?? null;
}

export function toneOfBreak(state: BrokerBreak['state']): 'warn' | 'ok' | 'none' {
  return ({ open: 'warn', booked: 'ok', acknowledged: 'none' } as const)[state];
}

/** One that two comparisons have seen is a break; one that was seen once may be an order under way. */
export function toneOfDifference({ isBreak }: Pick<BrokerDifference, 'isBreak'>): 'bad' | 'wait' {
  return isBreak ? 'bad' : 'wait';
}
