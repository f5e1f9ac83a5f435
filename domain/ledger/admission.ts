import {
  amendmentLimitRefusal,
  countAmendment,
  countOrder,
  type LimitRefusal,
  orderLimitRefusal,
} from './daily-limits.ts';
import { incomingAsset, shortOfIncomingRoom } from './incoming-room.ts';
import type { AdmittedId, LedgerState } from './ledger-state.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { AdmissionRefusal, RefusedAdmission, ReservedLot } from './outcomes.ts';
import { roomRefusal, saidOwner } from './quotas.ts';
import { hasOtherRate } from './rates.ts';
import type { AmendmentAdmission, OrderAdmission } from './records.ts';
import type { BookBatch } from './transactions.ts';

/** What admission must know beside the ledger itself. */
export interface AdmissionContext {
  /** Unix ms of the journal row. */
  readonly time: number;
  /** The read model is too far behind: nothing new is admitted. */
  readonly backlogged: boolean;
}

interface Admissions {
  readonly admitted: readonly AdmittedId[];
  readonly refused: readonly RefusedAdmission[];
  readonly lots: readonly ReservedLot[];
}

/** Refusals that leave no trace: the same id may be sent again. Every other refused order is kept as rejected. */
const UNRECORDED: ReadonlySet<AdmissionRefusal> = new Set<AdmissionRefusal>([
  'exists',
  'duplicate_client_order_id',
  'stale',
  'backlog',
  'ledger_full',
]);

/**
 * Admits the orders and amendments of a batch one by one, each with all its holds or not at all.
 *
 * @throws LedgerViolation when one asks to hold what is no amount
 */
export function admitBatch(state: LedgerState, batch: BookBatch, context: AdmissionContext): Admissions {
  const admitted: AdmittedId[] = [];
  const refused: RefusedAdmission[] = [];
  const lots: ReservedLot[] = [];
  const lotsOf = new Map<string, number>();
  for (const order of batch.orders) {
    const refusal = admitOrder(state, batch, order, context);
    if (refusal !== null) refused.push(refusal);
    else if (order.code === null) {
      const { id, quantity, price } = order;
      admitted.push({ kind: 'order', id, quantity, price });
      reserveLots(state, batch, order, lotsOf, lots);
    }
  }
  for (const amendment of batch.amendments) {
    const refusal = admitAmendment(state, batch, amendment, context);
    if (refusal !== null) refused.push(refusal);
    else {
      admitted.push({ kind: 'amendment', id: amendment.id, quantity: 0, price: null });
      reserveLots(state, batch, amendment, lotsOf, lots);
    }
  }
  return { admitted, refused, lots };
}

/** An order that its book has refused (`code`) is only remembered. */
function admitOrder(
  state: LedgerState,
  batch: BookBatch,
  order: OrderAdmission,
  context: AdmissionContext,
): RefusedAdmission | null {
  const { id, account, clientOrderId } = order;
  if (state.recentIds.has(id) || state.reservations.ids.find(id) >= 0) return refusalOf(id, 'exists');
  const existingId = clientOrderId === null ? null : state.clientOrderIds.orderOf(account, clientOrderId);
  if (order.code !== null) {
    state.recentIds.add(id, context.time);
    if (clientOrderId !== null && existingId === null) {
      state.clientOrderIds.add(account, clientOrderId, id, false);
      learnOwner(state, order);
    }
    return null;
  }
  if (existingId !== null) return { ...refusalOf(id, 'duplicate_client_order_id'), existingId };
  learnOwner(state, order);
  const refusal =
    refusalOfFacts(state, batch, order, order.keyId, context) ??
    refusalOfHolds(state, batch, order, orderLimitRefusal(state, batch, order));
  if (refusal !== null && UNRECORDED.has(refusal.refusal)) return refusal;
  if (refusal === null) countOrder(state, batch, hold(state, batch, 'order', order), order);
  state.recentIds.add(id, context.time);
  if (clientOrderId !== null) state.clientOrderIds.add(account, clientOrderId, id, refusal === null);
  // Now that the account is known, if it was its first.
  learnOwner(state, order);
  return refusal;
}

/** What the order says of who has its account. */
export function learnOwner(
  { owners }: LedgerState,
  order: Pick<OrderAdmission, 'account' | 'investor' | 'owner'>,
): void {
  const said = saidOwner(order);
  if (said !== null) owners.learn(order.account, said);
}

function admitAmendment(
  state: LedgerState,
  batch: BookBatch,
  amendment: AmendmentAdmission,
  context: AdmissionContext,
): RefusedAdmission | null {
  const { id } = amendment;
  if (state.recentIds.has(id) || state.reservations.ids.find(id) >= 0) return refusalOf(id, 'exists');
  const refusal =
    refusalOfFacts(state, batch, amendment, null, context) ??
    refusalOfHolds(state, batch, amendment, amendmentLimitRefusal(state, batch, amendment));
  if (refusal !== null) return refusal;
  countAmendment(state, batch, hold(state, batch, 'amendment', amendment), amendment);
  state.recentIds.add(id, context.time);
  return null;
}

/** The facts that order entry checked, asserted again where the holds are taken. */
function refusalOfFacts(
  state: LedgerState,
  batch: BookBatch,
  wanted: OrderAdmission | AmendmentAdmission,
  keyId: string | null,
  { backlogged, time }: AdmissionContext,
): RefusedAdmission | null {
  const { id, account, factsVersion, rulesVersion } = wanted;
  if (state.balances.isFrozen(account)) return refusalOf(id, 'account_frozen');
  if (keyId !== null && state.revokedKeys.find(keyId) >= 0) return refusalOf(id, 'key_revoked');
  const market = state.market(batch.book);
  if (state.isVenueHalted || market.status !== 'open' || state.splits.has(batch.baseAsset))
    return refusalOf(id, 'halted');
  const isStale = factsVersion !== state.balances.factsVersion(account) || rulesVersion !== market.version;
  if (isStale || hasOtherRate(state, batch, wanted)) return refusalOf(id, 'stale');
  if (hasIdentityEnded(state, wanted, time)) return refusalOf(id, 'identity_ended');
  if (backlogged) return refusalOf(id, 'backlog');
  const room = roomRefusal(state, batch, wanted);
  if (room === null) return null;
  const refusal = refusalOf(id, room.refusal, room.quota);
  return room.of === undefined ? refusal : { ...refusal, of: room.of };
}

/** Asked by the journal's own time: how long an order was on its way, or waited for its book, opens nothing. */
function hasIdentityEnded(
  { ruleSet }: LedgerState,
  { identityEndsAt }: Pick<OrderAdmission, 'identityEndsAt'>,
  time: number,
): boolean {
  return ruleSet.asksIdentityEnd && identityEndsAt !== undefined && identityEndsAt <= time;
}

/** Limits before cash and shares, in the order of the specification's validations (X-AEP-27, X-AEP-30). */
function refusalOfHolds(
  state: LedgerState,
  batch: BookBatch,
  wanted: OrderAdmission | AmendmentAdmission,
  limited: LimitRefusal | null,
): RefusedAdmission | null {
  const { id, account } = wanted;
  const allowance = shortOf(state, id, account, wanted.allowanceAsset, wanted.allowance);
  if (allowance !== null) return refusalOf(id, 'allowance', allowance);
  const position = shortOf(state, id, account, wanted.positionAsset, wanted.position);
  if (position !== null) return refusalOf(id, 'position', position);
  if (limited !== null) return { ...refusalOf(id, limited.refusal, limited.available), required: limited.required };
  const room = shortOfIncomingRoom(state, batch, wanted);
  if (room !== null) return { ...refusalOf(id, 'holding', room), required: wanted.incoming ?? 0 };
  const reserve = shortOf(state, id, account, wanted.reserveAsset, wanted.reserve);
  return reserve === null ? null : refusalOf(id, 'balance', reserve);
}

/** What is available of an asset, where that is less than what is wanted; null where it is enough. */
function shortOf(state: LedgerState, id: string, account: string, asset: string | null, amount: number): number | null {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new LedgerViolation(`${id} would hold ${amount}`);
  if (asset === null || amount === 0) return null;
  const available = state.balances.availableOf(account, asset);
  return amount > available ? available : null;
}

/** The number of its reservation. */
function hold(
  state: LedgerState,
  batch: BookBatch,
  kind: 'order' | 'amendment',
  wanted: OrderAdmission | AmendmentAdmission,
): number {
  const { balances } = state;
  const { account, reserveAsset, allowanceAsset, positionAsset, reserve, allowance, position } = wanted;
  const reserveBalance = balances.open(account, reserveAsset);
  const allowanceBalance = allowanceAsset === null ? -1 : balances.open(account, allowanceAsset);
  const positionBalance = positionAsset === null ? -1 : balances.open(account, positionAsset);
  balances.hold(reserveBalance, reserve);
  if (allowanceBalance >= 0) balances.hold(allowanceBalance, allowance);
  if (positionBalance >= 0) balances.hold(positionBalance, position);
  const number = state.reservations.add(wanted.id, {
    kind,
    book: batch.book,
    account: balances.account(reserveBalance),
    reserveBalance,
    allowanceBalance,
    positionBalance,
    reserve,
    allowance: allowanceBalance < 0 ? 0 : allowance,
    position: positionBalance < 0 ? 0 : position,
  });
  const { incoming = 0 } = wanted;
  if (incoming > 0) state.reservations.setIncoming(number, incomingAsset(batch, reserveAsset), incoming);
  return number;
}

/** A sell of securities reserves its lots first-in-first-out (X-AEP-45). */
function reserveLots(
  state: LedgerState,
  batch: BookBatch,
  { id, account, reserveAsset, reserve }: OrderAdmission | AmendmentAdmission,
  lotsOf: Map<string, number>,
  reserved: ReservedLot[],
): void {
  if (!batch.tracksLots || reserveAsset !== batch.baseAsset || reserve === 0) return;
  const before = lotsOf.get(account) ?? 0;
  const { lots, balances, reservations } = state;
  const left = Math.min(state.limits.lotsPerAccountMax - before, state.limits.lotsPerBatchMax - reserved.length);
  const taken = lots.reserve(reservations.ids.find(id), balances.find(account, reserveAsset), reserve, left);
  lotsOf.set(account, before + taken.length);
  for (const { lot, quantity } of taken) {
    reserved.push({
      reservationId: id,
      lotId: lots.ids.text(lot),
      quantity,
      restrictionEndsAt: lots.restrictionEndsAt(lot),
      offeringType: lots.offeringType(lot),
    });
  }
}

function refusalOf(id: string, refusal: AdmissionRefusal, available = 0): RefusedAdmission {
  return { id, refusal, available, required: 0, existingId: null };
}
