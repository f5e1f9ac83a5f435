import type { LedgerState } from './ledger-state.ts';
import type { AdmissionRefusal } from './outcomes.ts';
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

/**
 * Why there is no room, or null. No account has more reservations or lots than are still free: one takes half of the shard at most, and k
 * accounts leave one part in k + 1 to others. Sales, which lead out of the shard, have room beyond what fills it; and one that adds no balance
 * needs none. What an order may still add while it settles (the balance of a buyer, lots) has room above these limits.
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
  const unsettledMax = UNSETTLED_MAX + (isSale ? UNSETTLED_ROOM_FOR_SALES : 0);
  if (state.unsettled.count >= unsettledMax && state.unsettled.books.has(batch.book)) return FULL;
  const holder = balances.accounts.find(account);
  // One that was never heard of has nothing.
  const isNew = holder < 0;
  const ordersQuota = Math.min(limits.reservationsPerAccountMax, freeReservations);
  if (!isNew && reservations.countOf(holder) >= ordersQuota) return { refusal: 'account_orders', quota: ordersQuota };
  const lotsQuota = Math.min(limits.lotsHeldPerAccountMax, freeLots);
  if (!isNew && batch.tracksLots && !isSale && lots.countOf(holder) >= lotsQuota)
    return { refusal: 'account_lots', quota: lotsQuota };
  const isShardFull = balances.count >= limits.balancesMax;
  const isAccountFull = !isNew && balances.countOf(holder) >= limits.balancesPerAccountMax;
  if (!isShardFull && !isAccountFull) return null;
  const assets = [reserveAsset, batch.baseAsset, batch.quoteAsset, allowanceAsset, positionAsset];
  if (assets.every((asset) => asset === null || balances.find(account, asset) >= 0)) return null;
  return isShardFull ? FULL : { refusal: 'account_balances', quota: limits.balancesPerAccountMax };
}
