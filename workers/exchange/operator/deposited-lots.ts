import { z } from '@hono/zod-openapi';
import type { DepositedLot } from '../../../application/ledger/transfers.ts';
import type { AssetRow } from '../../../data/catalog/assets.ts';
import { toScaled } from '../../../domain/money/scaled.ts';
import { offeringOf } from '../../../domain/resale/offering.ts';
import { restrictionEnd } from '../../../domain/resale/restriction-end.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { numberError } from './transfer-schema.ts';

export const LOTS_PER_DEPOSIT_MAX = 100;
/** A lot may have been acquired by a clock that is ahead of this one. */
const CLOCK_SKEW_MS = 60_000;

/** A lot of a deposit; its fields are named as the exchange portfolio names them (X-EPI-02). */
export const LotRequest = z.strictObject({
  quantity: z.number().positive(),
  cost: z.number().nonnegative().default(0).openapi({ description: 'US dollars paid for the lot.' }),
  acquisitionDate: z.iso.datetime().optional().openapi({ description: 'Now, when left out.' }),
  restrictionEndDate: z.iso.datetime().nullable().optional().openapi({
    description: 'From the acquisition date by the hold period of the offering, when left out; null for a free lot.',
  }),
  offeringType: z.string().optional().openapi({ example: '506c' }),
});

export interface LotContext {
  readonly asset: AssetRow;
  /** Whether the account's owner is a US person: Regulation S holds only them. */
  readonly usPerson: boolean;
  readonly cashScale: number;
  /** Unix milliseconds. */
  readonly now: number;
}

export type LotsResult =
  | { readonly ok: true; readonly lots: DepositedLot[] }
  | { readonly ok: false; readonly error: ApiError };

/** The lots of a deposit in scaled integers, hold periods filled in by the offering (X-AEP-35 to X-AEP-38). */
export function depositedLots(requested: readonly z.infer<typeof LotRequest>[], context: LotContext): LotsResult {
  const lots: DepositedLot[] = [];
  for (const lot of requested) {
    const quantity = toScaled(lot.quantity, context.asset.scale);
    if (!quantity.ok) return { ok: false, error: numberError('lots.quantity', quantity.error) };
    const cost = toScaled(lot.cost, context.cashScale);
    if (!cost.ok) return { ok: false, error: numberError('lots.cost', cost.error) };
    const acquiredAt = lot.acquisitionDate === undefined ? context.now : Date.parse(lot.acquisitionDate);
    if (acquiredAt > context.now + CLOCK_SKEW_MS)
      return { ok: false, error: apiError('VALIDATION_ERROR', 'lots.acquisitionDate is in the future') };
    lots.push({
      quantity: quantity.value,
      cost: cost.value,
      acquiredAt,
      restrictionEndsAt: restrictionOf(lot, acquiredAt, context),
      offeringType: lot.offeringType ?? context.asset.offeringType,
    });
  }
  return { ok: true, lots };
}

function restrictionOf(
  lot: z.infer<typeof LotRequest>,
  acquiredAt: number,
  { asset, usPerson }: LotContext,
): number | null {
  if (lot.restrictionEndDate === null) return null;
  if (lot.restrictionEndDate !== undefined) return Date.parse(lot.restrictionEndDate);
  const offering = offeringOf(lot.offeringType ?? asset.offeringType, asset.regulation);
  return offering === null || offering === 'lockup' ? null : restrictionEnd(offering, acquiredAt, usPerson);
}
