import type { AssetRow } from '../../data/catalog/assets.ts';
import { toScaled } from '../../domain/money/scaled.ts';
import { offeringOf } from '../../domain/resale/offering.ts';
import { restrictionEnd } from '../../domain/resale/restriction-end.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { DepositedLot } from '../ledger/transfers.ts';
import { numberError } from './number-error.ts';

/** A lot may have been acquired by a clock that is ahead of this one. */
const CLOCK_SKEW_MS = 60_000;

/** A lot as an operator states it, in numbers of the asset. */
export interface StatedLot {
  readonly quantity: number;
  /** US dollars paid for the lot. */
  readonly cost: number;
  /** Unix milliseconds; now when left out. */
  readonly acquiredAt?: number | undefined;
  /** Unix milliseconds; by the hold period of the offering when left out, null for a free lot. */
  readonly restrictionEndsAt?: number | null | undefined;
  readonly offeringType?: string | undefined;
}

export interface LotContext {
  readonly asset: AssetRow;
  readonly cashScale: number;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The lots of a deposit in scaled integers, hold periods filled in by the offering (X-AEP-35 to X-AEP-38). */
export function depositedLots(stated: readonly StatedLot[], context: LotContext): Result<DepositedLot[], ApiError> {
  const lots: DepositedLot[] = [];
  for (const lot of stated) {
    const quantity = toScaled(lot.quantity, context.asset.scale);
    if (!quantity.ok) return err(numberError('lots.quantity', quantity.error));
    const cost = toScaled(lot.cost, context.cashScale);
    if (!cost.ok) return err(numberError('lots.cost', cost.error));
    const acquiredAt = lot.acquiredAt ?? context.now;
    if (acquiredAt > context.now + CLOCK_SKEW_MS)
      return err(apiError('VALIDATION_ERROR', 'lots.acquisitionDate is in the future'));
    lots.push({
      quantity: quantity.value,
      cost: cost.value,
      acquiredAt,
      restrictionEndsAt: restrictionOf(lot, acquiredAt, context),
      offeringType: lot.offeringType ?? context.asset.offeringType,
    });
  }
  return ok(lots);
}

function restrictionOf(lot: StatedLot, acquiredAt: number, { asset }: LotContext): number | null {
  if (lot.restrictionEndsAt !== undefined) return lot.restrictionEndsAt;
  const offering = offeringOf(lot.offeringType ?? asset.offeringType, asset.regulation);
  return offering === null || offering === 'lockup' ? null : restrictionEnd(offering, acquiredAt);
}
