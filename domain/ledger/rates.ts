import { isDollarRate, type VersionedRate } from '../money/dollar-rate.ts';
import type { LedgerState } from './ledger-state.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { RateOutcome } from './outcomes.ts';
import type { AmendmentAdmission, OrderAdmission } from './records.ts';
import type { BookBatch, RateChange } from './transactions.ts';

/** Assets that a rate is stated for. @internal */
export const RATES_MAX = 200;

/** Dollars for an asset that markets quote in, from here on. */
export function applyRateChange({ rates }: LedgerState, change: RateChange): RateOutcome {
  const { asset, expectedVersion, numerator, denominator } = change;
  if (!isDollarRate(change)) throw new LedgerViolation(`a rate of ${asset} is ${numerator} to ${denominator}`);
  const version = rates.get(asset)?.version ?? 0;
  if (version !== expectedVersion) return { type: 'stale', version };
  if (version === 0 && rates.size >= RATES_MAX) return { type: 'too_many_rates', ratesMax: RATES_MAX };
  rates.set(asset, { version: version + 1, numerator, denominator });
  return { type: 'done', version: version + 1 };
}

/** The rate of what a book quotes in; null for dollars, and where nobody has stated one. */
export function rateOf({ rates }: LedgerState, { quoteAsset }: Pick<BookBatch, 'quoteAsset'>): VersionedRate | null {
  return rates.get(quoteAsset) ?? null;
}

/**
 * Whether an order under a limit in money was checked by another rate than is stated now. An amendment goes by the rate that its order was
 * admitted by.
 */
export function hasOtherRate(
  state: LedgerState,
  batch: BookBatch,
  wanted: OrderAdmission | AmendmentAdmission,
): boolean {
  if ('orderId' in wanted || (wanted.daily === null && wanted.allowanceAsset === null)) return false;
  return (wanted.rateVersion ?? 0) !== (rateOf(state, batch)?.version ?? 0);
}
