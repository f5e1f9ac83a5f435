import type { Regulation } from '../assets/asset.ts';
import { addMonths } from '../calendar/add-months.ts';
import { lockedUpUntil } from '../resale/offering.ts';
import { restrictionEnd } from '../resale/restriction-end.ts';

/** What a lot that the issuer sells is bound by. */
export interface LotTerms {
  /** Unix milliseconds; null where nothing binds it. */
  readonly restrictionEndsAt: number | null;
  readonly offeringType: string | null;
}

/**
 * What binds a lot that is bought from the issuer at `listedAt`: the issuer's lockup, and the hold period of the regulation that it was offered
 * under (X-STL-04, X-AEP-35 to X-AEP-38). Where the lockup ends first, the hold goes on under its own exemptions.
 */
export function listedLotTerms(
  { regulation, offeringType }: { readonly regulation: Regulation | null; readonly offeringType: string | null },
  lockupMonths: number,
  listedAt: number,
): LotTerms {
  const holdEndsAt = regulation === null ? null : restrictionEnd(regulation, listedAt);
  if (lockupMonths === 0) return { restrictionEndsAt: holdEndsAt, offeringType: offeringType ?? regulation };
  const lockupEndsAt = addMonths(listedAt, lockupMonths);
  if (regulation === null || holdEndsAt === null || holdEndsAt <= lockupEndsAt)
    return { restrictionEndsAt: lockupEndsAt, offeringType: 'lockup' };
  return { restrictionEndsAt: holdEndsAt, offeringType: lockedUpUntil(lockupEndsAt, regulation) };
}
