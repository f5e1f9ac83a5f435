import type { Regulation } from '../assets/asset.ts';

/**
 * Under which rules a security was sold. `lockup` is an issuer's own restriction after a listing (X-STL-04): no exemption of the
 * securities laws lifts it.
 */
export type Offering = Regulation | 'lockup';

const OFFERINGS: ReadonlyMap<string, Offering> = new Map<string, Offering>([
  ['506c', 'reg_d_506c'],
  ['506b', 'reg_d_506b'],
  ['reg_d_506c', 'reg_d_506c'],
  ['reg_d_506b', 'reg_d_506b'],
  ['reg_cf', 'reg_cf'],
  ['reg_s', 'reg_s'],
  ['reg_a', 'reg_a'],
  ['retail', 'retail'],
  ['lockup', 'lockup'],
]);

const LOCKED_UP = /^lockup:(\d+):([a-z0-9_]+)$/;

/** How a lot says that its issuer's lockup ends at `until`, before the hold period of what it was offered under. */
export function lockedUpUntil(until: number, offering: Regulation): string {
  return `lockup:${until}:${offering}`;
}

/** The lockup of a lot that has another hold period after it, and what governs that; null for any other lot. */
export function lockupOf(lotOfferingType: string | null): { readonly until: number; readonly offering: string } | null {
  const [, until, offering] = LOCKED_UP.exec(lotOfferingType ?? '') ?? [];
  return until === undefined || offering === undefined ? null : { until: Number(until), offering };
}

/** What a lot is shown to be bound by now: its lockup, and after that what it was offered under. */
export function shownOffering(lotOfferingType: string | null, now: number): string | null {
  const lockup = lockupOf(lotOfferingType);
  if (lockup === null) return lotOfferingType;
  return now < lockup.until ? 'lockup' : lockup.offering;
}

/** The offering that governs a lot: its own, or the asset's where the lot names none that is known. */
export function offeringOf(lotOfferingType: string | null, assetRegulation: Regulation | null): Offering | null {
  return OFFERINGS.get(lotOfferingType ?? '') ?? OFFERINGS.get(assetRegulation ?? '') ?? null;
}
