import { AMOUNT_MAX } from './balances.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import { CLEARING_ACCOUNTS } from './broker-clearing.ts';
import type { LedgerState } from './ledger-state.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { AmendmentAdmission, OrderAdmission } from './records.ts';

/**
 * Executions at brokers bring cash and shares that no deposit has bounded, and what has executed cannot be refused. So what they may bring is
 * counted before it happens: an order says the most that it may bring (`incoming`), and is admitted where its account, and all accounts together,
 * stay exact with it (docs/design/ledger.md#what-brokers-may-bring).
 */

/** All that accounts have of an asset, may get back, wait for and may be brought. Deposits and issuances may add `AMOUNT_MAX` later: that is exact. */
const ALL_MAX = 2 * AMOUNT_MAX;

/** With what comes without an order, by a booked break or a trade that is taken back: orders that are open leave room for that. Deposits and issuances beside it are exact. */
const BOOKED_MAX = ALL_MAX + AMOUNT_MAX / 2;
/** Of what orders may bring, what orders of those who have much already leave to others. */
const KEPT = ALL_MAX / 8;
/** What an account is sure to be brought while anything is free: beyond all that is kept, thousands of accounts have to fill it. */
const SURE = 2 ** 37;

/** What accounts come to have of it later, having paid it to the pools that pay it out again, or to a register. */
const RETURNING = [BOUNDARY_ACCOUNT.fees, BOUNDARY_ACCOUNT.distributions, BOUNDARY_ACCOUNT.register];

interface Traded {
  readonly baseAsset: string;
  readonly quoteAsset: string;
}

/** What executions bring: of the two assets the one that is not held. */
export function incomingAsset({ baseAsset, quoteAsset }: Traded, reserveAsset: string): string {
  return reserveAsset === baseAsset ? quoteAsset : baseAsset;
}

/**
 * How much an order or amendment may bring at most, where that is less than it may bring; null where there is room for it. Where others leave so little, it
 * says no more than the power of two below: what they have, and have open, is nobody's to read.
 *
 * @throws LedgerViolation when what it may bring is no amount
 */
export function shortOfIncomingRoom(
  state: LedgerState,
  traded: Traded,
  { id, account, reserveAsset, incoming = 0 }: OrderAdmission | AmendmentAdmission,
): number | null {
  if (!Number.isSafeInteger(incoming) || incoming < 0) throw new LedgerViolation(`${id} would bring ${incoming}`);
  if (incoming === 0 || !state.ruleSet.boundsIncoming) return null;
  const room = roomOf(state, account, { given: reserveAsset, gotten: incomingAsset(traded, reserveAsset) });
  if (incoming <= room.most) return null;
  return room.isOwn || room.most === 0 ? room.most : 2 ** Math.floor(Math.log2(room.most));
}

function roomOf(
  state: LedgerState,
  account: string,
  { given, gotten }: { readonly given: string; readonly gotten: string },
): { readonly most: number; readonly isOwn: boolean } {
  const { balances, reservations } = state;
  // What accounts give stands at clearing: with all that they can still give it stays exact.
  if (CLEARING_ACCOUNTS.some((clearing) => balances.availableOf(clearing, given) >= AMOUNT_MAX))
    return { most: 0, isOwn: false };
  const own = ownedWithIncoming(state, account, gotten);
  const all = allOf(state, gotten);
  const free = ALL_MAX - all;
  const total = reservations.incomingSums.total(gotten);
  const atClearing = CLEARING_ACCOUNTS.map(
    (clearing) => Number.MAX_SAFE_INTEGER + Math.min(0, balances.availableOf(clearing, gotten)) - total,
  );
  // Of what is not kept as much stays free for the others as one has. What is kept goes in small parts to those with little.
  const shared = Math.min(free, Math.max(SURE - own, Math.floor((free - KEPT - own) / 2)), ...atClearing);
  return { most: Math.max(0, Math.min(AMOUNT_MAX - own, shared)), isOwn: AMOUNT_MAX - own <= shared || all === own };
}

/** What an account has, waits for and may be brought. */
function ownedWithIncoming({ balances, reservations, unsettled }: LedgerState, account: string, asset: string): number {
  const balance = balances.find(account, asset);
  const owned = balance < 0 ? 0 : balances.available(balance) + balances.held(balance);
  const holder = balances.accounts.find(account);
  const incoming = holder < 0 ? 0 : reservations.incomingSums.of(holder, asset);
  return owned + unsettled.sumOf(account, asset, 'cash') + incoming;
}

/** What all accounts have, may get back, wait for and may be brought. */
function allOf({ balances, reservations, unsettled }: LedgerState, asset: string): number {
  const returning = RETURNING.reduce((sum, boundary) => sum + balances.availableOf(boundary, asset), 0);
  const waiting = unsettled.totalOf(asset, 'cash') + reservations.incomingSums.total(asset);
  return balances.heldByAccounts(asset) + returning + waiting;
}

/** Whether all accounts together stay exact where this comes to them without an order: by a booked break, or a trade that is taken back. */
export function hasRoomForAll(state: LedgerState, asset: string, gain: number): boolean {
  return !state.ruleSet.boundsIncoming || gain <= 0 || allOf(state, asset) + gain <= BOOKED_MAX;
}
