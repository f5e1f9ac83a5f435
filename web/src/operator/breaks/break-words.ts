import type { BrokerBreak, BrokerDifference } from '../desk-queries.ts';

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

export function toneOfBreak(state: BrokerBreak['state']): 'warn' | 'ok' | 'none' {
  return ({ open: 'warn', booked: 'ok', acknowledged: 'none' } as const)[state];
}

/** One that two comparisons have seen is a break; one that was seen once may be an order under way. */
export function toneOfDifference({ isBreak }: Pick<BrokerDifference, 'isBreak'>): 'bad' | 'wait' {
  return isBreak ? 'bad' : 'wait';
}
