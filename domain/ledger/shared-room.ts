import type { Balances } from './balances.ts';
import type { LedgerLimits } from './ledger-limits.ts';
import type { WiderOwner } from './outcomes.ts';
import type { OwnedCount } from './owned-count.ts';
import type { Owner } from './owners.ts';
import { type Guarantees, quotaOf, sureOf } from './quota-of.ts';

/** Room of one kind, and who has how much of it. */
export interface SharedRoom {
  readonly owned: Pick<OwnedCount, 'ofOwner' | 'ofPartner'>;
  readonly free: number;
  /** Of what is free, what is kept for those with few. */
  readonly kept: number;
  readonly guarantees: Guarantees;
  /** Of one owner, and of all investors of a partner. */
  readonly max: number;
  readonly partnerMax: number;
  /** So many times what one owner is sure of, all investors of a partner are sure of together. */
  readonly partnerShare: number;
}

/** Who has too much of a room. */
export interface OverQuota {
  /** How much of it they may have; 0 where it is full. */
  readonly quota: number;
  /** Whose quota it is, where the account shares it with others. */
  readonly of?: WiderOwner;
}

/**
 * Whether the owner of an account, with all accounts, has as much of a room as one may, or the partner with all investors; null for neither. What is not kept
 * goes to who comes first, and ends for each owner; of what is kept each is sure of a number that falls as it fills, so that whoever has least finds room for longest.
 */
export function overQuota(
  { owned, free, kept, guarantees, max, partnerMax, partnerShare }: SharedRoom,
  owner: Owner,
): OverQuota | null {
  // One that was never heard of has nothing.
  const isKnown = owner.account >= 0 || owner.investor >= 0;
  const sure = sureOf(free, guarantees);
  const quota = quotaOf(max, sure, free - kept);
  if (isKnown && owned.ofOwner(owner) >= quota) return owner.investor < 0 ? { quota } : { quota, of: 'investor' };
  if (owner.partner < 0) return null;
  const ofPartner = quotaOf(partnerMax, sure * partnerShare, free - kept);
  const left = ofPartner - owned.ofPartner(owner);
  if (left <= 0) return { quota: ofPartner, of: 'partner' };
  // Its investors leave each other room as strangers do: whoever has none gets the last.
  return isKnown && owned.ofOwner(owner) >= Math.max(1, left) ? { quota: left, of: 'investor' } : null;
}

/** Balances go never: what somebody has opened is gone for good. */
export function balanceRoom(limits: LedgerLimits, { count, owned }: Pick<Balances, 'count' | 'owned'>): SharedRoom {
  return {
    owned,
    free: limits.balancesMax - count,
    kept: limits.balancesForGuaranteed,
    guarantees: [
      [limits.balancesForFew, limits.balancesGuaranteedPerAccount],
      [0, limits.balancesGuaranteedOfFew],
    ],
    max: limits.balancesPerAccountMax,
    partnerMax: limits.balancesPerPartnerMax,
    partnerShare: limits.balancesPartnerShare,
  };
}
