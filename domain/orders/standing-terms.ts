import type { OrderTerms } from './order.ts';

/** What an order is, beside where it stands: as it was placed, but for the trigger, which may be amended. Prices scaled by its market. */
export interface StandingTerms extends Pick<OrderTerms, 'side' | 'type' | 'timeInForce' | 'stopPrice' | 'expiresAt'> {
  readonly clientOrderId: string | null;
  /** An indication of interest in a pre-IPO asset. */
  readonly preIpo: boolean;
}

/** Of an order as it is kept. */
export function standingTermsOf({
  side,
  type,
  timeInForce,
  stopPrice,
  expiresAt,
  clientOrderId,
  preIpo,
}: Omit<StandingTerms, 'preIpo'> & { readonly preIpo: number }): StandingTerms {
  return { side, type, timeInForce, stopPrice, expiresAt, clientOrderId, preIpo: preIpo === 1 };
}
