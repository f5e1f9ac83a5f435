import type { LedgerState } from './ledger-state.ts';
import type { AdmissionRefusal, TooManyLots } from './outcomes.ts';
import { balancesQuotaOf, quotaOf } from './quota-of.ts';
import type { AmendmentAdmission, OrderAdmission } from './records.ts';
import type { BookBatch } from './transactions.ts';
import { UNSETTLED_MAX, UNSETTLED_ROOM_FOR_SALES } from './unsettled.ts';

/** Why the shard has no room for an order or amendment: it is full, or its account takes as much of it as it may. */
export interface RoomRefusal {
  readonly refusal: AdmissionRefusal;
  /** How much of what it has too much of the account may have; 0 where the shard is full. */
  readonly quota: number;
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
  const { balances, reservations, lots, limits } = state;
  const { account, reserveAsset, allowanceAsset, positionAsset } = wanted;
  const isSale = reserveAsset === batch.baseAsset;
  const room = isSale ? limits.roomForSales : 0;
  const freeReservations = limits.reservationsMax + room - reservations.count;
  const freeLots = batch.tracksLots ? limits.lotsMax + room - lots.count : Number.POSITIVE_INFINITY;
  if (freeReservations <= 0 || freeLots <= 0) return FULL;
  const holder = balances.accounts.find(account);
  // One that was never heard of has nothing.
  const isNew = holder < 0;
  if (state.unsettled.books.has(batch.book)) {
    const freeSums = UNSETTLED_MAX + (isSale ? UNSETTLED_ROOM_FOR_SALES : 0) - state.unsettled.count;
    if (freeSums <= 0) return FULL;
    const quota = quotaOf(freeSums, UNSETTLED_GUARANTEED_PER_ACCOUNT, freeSums - UNSETTLED_FOR_GUARANTEED);
    if (!isNew && state.unsettled.countOf(account) >= quota) return { refusal: 'account_unsettled', quota };
  }
  const ordersQuota = quotaOf(
    limits.reservationsPerAccountMax,
    limits.reservationsGuaranteedPerAccount,
    freeReservations - limits.reservationsForGuaranteed,
  );
  if (!isNew && reservations.countOf(holder) >= ordersQuota) return { refusal: 'account_orders', quota: ordersQuota };
  if (!isNew && batch.tracksLots && !isSale) {
    const lotsQuota = quotaOf(
      limits.lotsHeldPerAccountMax,
      limits.lotsGuaranteedPerAccount,
      freeLots - limits.lotsForGuaranteed,
    );
    if (lots.countOf(holder) >= lotsQuota) return { refusal: 'account_lots', quota: lotsQuota };
  }
  const isShardFull = balances.count >= limits.balancesMax;
  const balancesQuota = balancesQuotaOf(limits, balances.count);
  const isAccountFull = !isNew && balances.countOf(holder) >= balancesQuota;
  if (!isShardFull && !isAccountFull) return null;
  const assets = [reserveAsset, batch.baseAsset, batch.quoteAsset, allowanceAsset, positionAsset];
  if (assets.every((asset) => asset === null || balances.find(account, asset) >= 0)) return null;
  return isShardFull ? FULL : { refusal: 'account_balances', quota: balancesQuota };
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
    if ((holder < 0 ? 0 : lots.countOf(holder)) + count > ofAccount)
      return { type: 'too_many_lots', of: 'account', account, lotsMax: ofAccount };
  }
  return null;
}
