import type { LedgerState } from './ledger-state.ts';
import type { AdmissionRefusal, TooManyLots } from './outcomes.ts';
import type { SaidOwner } from './owners.ts';
import { quotaOf } from './quota-of.ts';
import type { AmendmentAdmission, OrderAdmission } from './records.ts';
import { balanceRoom, type OverQuota, overQuota, type SharedRoom } from './shared-room.ts';
import type { BookBatch } from './transactions.ts';
import { UNSETTLED_MAX, UNSETTLED_ROOM_FOR_SALES } from './unsettled.ts';

/** Why the shard has no room for an order or amendment: it is full, or its account takes as much of it as it may. */
export interface RoomRefusal extends OverQuota {
  readonly refusal: AdmissionRefusal;
}

const FULL: RoomRefusal = { refusal: 'ledger_full', quota: 0 };

/** Of `UNSETTLED_MAX`: what is kept for accounts with fewer sums than the guaranteed number, and that number. */
const UNSETTLED_FOR_GUARANTEED = 50_000;
const UNSETTLED_GUARANTEED_PER_ACCOUNT = 100;

/**
 * Why there is no room, or null. Sales, which lead out of the shard, have room beyond what fills it; and one that adds no balance needs none. What an
 * order may still add while it settles (the balance of a buyer, lots) has room above these limits.
 */
export function roomRefusal(
  state: LedgerState,
  batch: BookBatch,
  wanted: OrderAdmission | AmendmentAdmission,
): RoomRefusal | null {
  const { balances, lots, limits } = state;
  const { account, reserveAsset, allowanceAsset, positionAsset } = wanted;
  const isSale = reserveAsset === batch.baseAsset;
  const room = isSale ? limits.roomForSales : 0;
  const freeLots = batch.tracksLots ? limits.lotsMax + room - lots.count : Number.POSITIVE_INFINITY;
  const open = openRoom(state, wanted, room);
  if (open.free <= 0 || freeLots <= 0) return FULL;
  const owner = state.owners.find(account, 'orderId' in wanted ? null : saidOwner(wanted));
  // One that was never heard of has nothing.
  const isNew = owner.account < 0;
  if (state.unsettled.books.has(batch.book)) {
    const freeSums = UNSETTLED_MAX + (isSale ? UNSETTLED_ROOM_FOR_SALES : 0) - state.unsettled.count;
    if (freeSums <= 0) return FULL;
    const quota = quotaOf(freeSums, UNSETTLED_GUARANTEED_PER_ACCOUNT, freeSums - UNSETTLED_FOR_GUARANTEED);
    if (!isNew && state.unsettled.countOf(account) >= quota) return { refusal: 'account_unsettled', quota };
  }
  const tooManyOpen = overQuota(open, owner);
  if (tooManyOpen !== null) return { refusal: open.refusal, ...tooManyOpen };
  if (batch.tracksLots && !isSale) {
    const tooManyLots = overQuota(lotRoom(state, freeLots), owner);
    if (tooManyLots !== null) return { refusal: 'account_lots', ...tooManyLots };
  }
  const isShardFull = balances.count >= limits.balancesMax;
  const tooManyBalances = overQuota(balanceRoom(limits, balances), owner);
  if (!isShardFull && tooManyBalances === null) return null;
  const assets = [reserveAsset, batch.baseAsset, batch.quoteAsset, allowanceAsset, positionAsset];
  if (assets.every((asset) => asset === null || balances.find(account, asset) >= 0)) return null;
  return isShardFull || tooManyBalances === null ? FULL : { refusal: 'account_balances', ...tooManyBalances };
}

/** Who an order says has its account; null for an account that is its owner's only one. */
export function saidOwner({ investor, owner }: Pick<OrderAdmission, 'investor' | 'owner'>): SaidOwner | null {
  return investor === undefined ? null : { investor, partner: owner };
}

/** Where an order, or an amendment, would be open. */
function openRoom(
  { limits, reservations, ruleSet }: LedgerState,
  wanted: OrderAdmission | AmendmentAdmission,
  roomForSale: number,
): SharedRoom & { readonly refusal: AdmissionRefusal } {
  const { orders, amendments } = reservations;
  if (ruleSet.amendmentsApart && 'orderId' in wanted)
    return {
      refusal: 'account_amendments',
      owned: amendments,
      free: limits.amendmentsMax - amendments.total,
      kept: limits.amendmentsForGuaranteed,
      guarantees: [
        [limits.amendmentsForFew, limits.amendmentsGuaranteedPerAccount],
        [0, limits.amendmentsGuaranteedOfFew],
      ],
      max: limits.amendmentsMax,
      partnerMax: limits.amendmentsMax,
      partnerShare: limits.partnerShare,
    };
  const owned: SharedRoom['owned'] = ruleSet.amendmentsApart
    ? orders
    : {
        ofOwner: (owner) => orders.ofOwner(owner) + amendments.ofOwner(owner),
        ofPartner: (owner) => orders.ofPartner(owner) + amendments.ofPartner(owner),
      };
  const used = ruleSet.amendmentsApart ? orders.total : reservations.count;
  return {
    refusal: 'account_orders',
    owned,
    free: limits.reservationsMax + roomForSale - used,
    kept: limits.reservationsForGuaranteed,
    guarantees: [
      [limits.reservationsForFew, limits.reservationsGuaranteedPerAccount],
      [limits.reservationsForFewest, limits.reservationsGuaranteedOfFew],
      [0, limits.reservationsGuaranteedOfFewest],
    ],
    max: limits.reservationsPerAccountMax,
    partnerMax: limits.reservationsPerPartnerMax,
    partnerShare: limits.partnerShare,
  };
}

function lotRoom({ limits, lots }: LedgerState, free: number): SharedRoom {
  return {
    owned: lots.owned,
    free,
    kept: limits.lotsForGuaranteed,
    guarantees: [
      [limits.lotsForFew, limits.lotsGuaranteedPerAccount],
      [0, limits.lotsGuaranteedOfFew],
    ],
    max: limits.lotsHeldPerAccountMax,
    partnerMax: limits.lotsPerPartnerMax,
    partnerShare: limits.partnerShare,
  };
}

/**
 * Why lots may not come in by a register or a deposit, or null: their account, or their security, would have more than it may. What is kept for few is theirs
 * too, so the one that is too large is refused, and nobody else. Of a security those count that came in like that: lots that were bought count for who bought them,
 * whom its agent does not choose.
 *
 * @param added new lots by account
 */
export function lotsRefusal(
  { balances, lots, limits }: LedgerState,
  asset: string,
  added: ReadonlyMap<string, number>,
): { readonly type: 'ledger_full' } | TooManyLots | null {
  let total = 0;
  for (const count of added.values()) total += count;
  if (total === 0) return null;
  if (lots.count + total > limits.lotsMax) return { type: 'ledger_full' };
  const free = limits.lotsMax - lots.count - limits.lotsForGuaranteed;
  const ofSecurity = quotaOf(limits.lotsPerSecurityMax, limits.lotsGuaranteedPerSecurity, free);
  if (lots.registeredOf(asset) + total > ofSecurity)
    return { type: 'too_many_lots', of: 'security', account: null, lotsMax: ofSecurity };
  const ofAccount = quotaOf(limits.lotsHeldPerAccountMax, limits.lotsGuaranteedPerAccount, free);
  for (const [account, count] of added) {
    const holder = balances.accounts.find(account);
    if ((holder < 0 ? 0 : lots.owned.ofAccount(holder)) + count > ofAccount)
      return { type: 'too_many_lots', of: 'account', account, lotsMax: ofAccount };
  }
  return null;
}
