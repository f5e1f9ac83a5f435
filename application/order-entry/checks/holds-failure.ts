import type { LimitRefusal } from '../../../domain/ledger/daily-limits.ts';
import type { HeldAssets } from '../../../domain/ledger/records.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';
import { failureOfRefusal, type Traded } from '../routes/failure-of-refusal.ts';

/**
 * Why admission would refuse these holds as the balances stand, in the order in which it looks at them; null when it would not.
 *
 * @param limited what the daily limits of the API key say
 */
export function holdsFailure(
  { reserve, reserveAsset, allowance, allowanceAsset, position, positionAsset }: HeldAssets,
  available: (assetId: string) => number,
  limited: LimitRefusal | null,
  traded: Traded,
): OrderEntryFailure | null {
  if (allowanceAsset !== null && allowance > available(allowanceAsset)) {
    const amounts = { required: allowance, available: available(allowanceAsset) };
    return failureOfRefusal({ reason: 'investment_limit_exceeded', ...amounts }, traded);
  }
  if (positionAsset !== null && position > available(positionAsset)) {
    const amounts = { required: position, available: available(positionAsset) };
    return failureOfRefusal({ reason: 'risk_limit_exceeded', limit: 'position', ...amounts }, traded);
  }
  if (limited?.refusal === 'daily_notional' || limited?.refusal === 'daily_loss') {
    const { refusal, ...amounts } = limited;
    return failureOfRefusal({ reason: 'risk_limit_exceeded', limit: refusal, ...amounts }, traded);
  }
  if (reserve <= available(reserveAsset)) return null;
  const amounts = { required: reserve, available: available(reserveAsset) };
  return failureOfRefusal({ reason: 'insufficient_balance', asset: reserveAsset, ...amounts }, traded);
}
