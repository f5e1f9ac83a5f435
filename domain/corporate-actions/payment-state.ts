/**
 * What becomes of a holder's part of a dividend: `entitled` until its amount is worked out. `external`: the holder has no account, the agent pays.
 * `nothing`: less than the smallest unit of the currency. `unpaid`: the account took no money, which went back to who pays; the agent pays.
 * `not_returned`: taken back, and no longer available.
 */
export const PAYMENT_STATES = [
  'entitled',
  'due',
  'external',
  'nothing',
  'paid',
  'unpaid',
  'returned',
  'not_returned',
] as const;

export type PaymentState = (typeof PAYMENT_STATES)[number];
