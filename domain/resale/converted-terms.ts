import type { Regulation } from '../assets/asset.ts';
import { lockedUpUntil, lockupOf, offeringOf } from './offering.ts';

/** By when a lot is free, and by which rule. */
export interface LotTerms {
  /** Unix ms; null for a lot that is not restricted. */
  readonly restrictionEndsAt: number | null;
  readonly offeringType: string | null;
}

export interface ConversionTerms {
  /** Regulation of the asset whose lots end: what governs those that name nothing themselves. */
  readonly regulation: Regulation | null;
  /** No lot is free before, by no exemption, Unix ms; null where each keeps its own end (17 CFR 230.144(d)(3)(viii)). */
  readonly restrictionEndsAt: number | null;
}

/**
 * The terms of a lot that becomes one of another asset. It names what it was sold under from then on, so that the regulation of the other asset neither frees nor
 * binds it. An end that is stated is a lockup, before whatever governs the lot.
 */
export function convertedTerms(lot: LotTerms, { regulation, restrictionEndsAt: until }: ConversionTerms): LotTerms {
  const lockup = lockupOf(lot.offeringType);
  const governs = offeringOf(lockup?.offering ?? lot.offeringType, regulation);
  // A lot with an end and without an offering is sold to nobody before that end.
  const offering = governs ?? (lot.restrictionEndsAt === null ? 'retail' : 'lockup');
  const lockedUntil = Math.max(until ?? 0, lockup?.until ?? 0);
  const end = Math.max(lot.restrictionEndsAt ?? 0, until ?? 0);
  const restrictionEndsAt = end === 0 ? null : end;
  if (lockedUntil === 0 || offering === 'lockup') return { restrictionEndsAt, offeringType: offering };
  return { restrictionEndsAt, offeringType: lockedUpUntil(lockedUntil, offering) };
}
