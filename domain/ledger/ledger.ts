import type { AdmissionContext } from './admission.ts';
import { type Balance, NO_BALANCE } from './balances.ts';
import { applyBridgeMovement } from './bridge-movements.ts';
import { checkpointOf, restoredState } from './checkpoint.ts';
import type { CheckpointPiece } from './columns.ts';
import { applyDistribution } from './distributions.ts';
import {
  applyConfirmation,
  applyFacts,
  applyFamily,
  applyMarketChange,
  applyRejectedOrder,
  applyRevocation,
  applyVenueChange,
} from './facts.ts';
import { applyBatch, applyOwnership, fenceOf } from './fencing.ts';
import { type HeldKind, type HeldPage, type HeldRow, heldPage, heldRows } from './held-rows.ts';
import { violationsOf } from './invariants.ts';
import type { SaleCost } from './journal-row.ts';
import type { LedgerLimits } from './ledger-limits.ts';
import { applyRulesChange, FIRST_RULES, LEDGER_CODE, ruleSetOf } from './ledger-rules.ts';
import { LedgerState } from './ledger-state.ts';
import type { KeyUse } from './limited-keys.ts';
import type {
  BridgeOutcome,
  Fence,
  LedgerOutcome,
  LedgerViolationRow,
  OpenOrderPlace,
  OutcomeOf,
  PendingCancellation,
  RegisterEntryOutcome,
  ReservationRow,
} from './outcomes.ts';
import { applyRateChange } from './rates.ts';
import type { AccountBalance, LotRecord } from './records.ts';
import { applyRegisterEntry } from './register-entries.ts';
import { applyBreakResolution } from './resolve-break.ts';
import type { LedgerRules, RuleSet } from './rule-set.ts';
import { applySettlement } from './settle-due.ts';
import { applySplit } from './splits.ts';
import { stateHashOf } from './state-hash.ts';
import { applyTradeAdjustment } from './trade-adjustments.ts';
import type { BridgeMovement, LedgerTransaction } from './transactions.ts';
import { applyTransferDecision, applyTransferRequest } from './transfer-requests.ts';
import { applyGrant, applyTransfer } from './transfers.ts';
import type { UnsettledPlace } from './unsettled.ts';

export interface Applied<Outcome> {
  readonly outcome: Outcome;
  /** False when there is nothing to journal (refused, repeated, fenced); a refused entry of a register is journaled. */
  readonly changed: boolean;
  /** Of a batch that has traded (journal-row.ts). */
  readonly saleCosts?: readonly SaleCost[];
}

/**
 * The ledger of one shard: a deterministic state machine. The same transactions in the same order, each under the same context, give the same state and
 * the same outcomes; it has no clock and does no I/O. Amounts are scaled integers of their asset.
 */
export class Ledger {
  readonly #state: LedgerState;

  /** An empty ledger under the first rules, or with other limits. */
  constructor(limits: Partial<LedgerLimits> = {}, known = LEDGER_CODE.known, state = emptyState(known, limits)) {
    this.#state = state;
  }

  /** @throws Error when a piece is missing or not known, or the version of its rules is not */
  static restore(pieces: Iterable<CheckpointPiece>, known = LEDGER_CODE.known): Ledger {
    return new Ledger({}, known, restoredState(pieces, known));
  }

  /** What transactions are judged by from here on. */
  get rules(): LedgerRules {
    return this.#state.rules;
  }

  /**
   * Applies a transaction, whole or not at all.
   *
   * @throws LedgerViolation when a batch's effects break an invariant. This ledger is unusable then and must be restored.
   */
  apply<T extends LedgerTransaction>(transaction: T, context: AdmissionContext): Applied<OutcomeOf[T['kind']]> {
    return applied(this.#state, transaction, context) as Applied<OutcomeOf[T['kind']]>;
  }

  fence(book: string): Fence {
    return fenceOf(this.#state, book);
  }

  /** Zeros where the account never had any. */
  balance(account: string, asset: string): Balance {
    const { balances } = this.#state;
    const balance = balances.find(account, asset);
    return balance < 0 ? NO_BALANCE : balances.at(balance);
  }

  /** Everything that an account has, in the order in which it first had it. */
  balances(account: string): AccountBalance[] {
    const { balances } = this.#state;
    return balances.of(account).map((balance) => this.accountBalance(account, balances.asset(balance)));
  }

  /** What an account has of an asset, with the cash that waits to settle; zeros where it never had any. */
  accountBalance(account: string, asset: string): AccountBalance {
    const cash = this.#state.unsettled.sumOf(account, asset, 'cash');
    return { asset, ...this.balance(account, asset), ...(cash === 0 ? {} : { unsettled: cash }) };
  }

  /** Every balance of every account, in the order in which they were opened. */
  *allBalances(): Generator<AccountBalance & { readonly account: string }> {
    const { balances } = this.#state;
    for (let balance = 0; balance < balances.count; balance++)
      yield { account: balances.accountId(balance), asset: balances.asset(balance), ...balances.at(balance) };
  }

  lot(id: string): LotRecord | null {
    const lot = this.#state.lots.ids.find(id);
    return lot < 0 ? null : this.#lotRecord(lot);
  }

  /** Every lot, those of one holding oldest first. */
  *allLots(): Generator<LotRecord> {
    const { lots } = this.#state;
    for (const balance of lots.holdings()) for (const lot of lots.of(balance)) yield this.#lotRecord(lot);
  }

  /** What is unsettled in a place; null where nothing waits, or all of it has settled. */
  unsettled(place: UnsettledPlace): number | null {
    return this.#state.unsettled.find(place)?.amount ?? null;
  }

  /** Books in which open orders or amendments of the account hold something, by symbol. */
  openBooks(account: string): string[] {
    return this.#state.openBooks(account);
  }

  /** Ids of the account's open orders. */
  openOrderIds(account: string): string[] {
    const { reservations, balances } = this.#state;
    const holder = balances.accounts.find(account);
    return holder < 0 ? [] : reservations.ordersOf(holder);
  }

  /** Where an order of the account is open; null for one that holds nothing, or is another account's. */
  openOrder(account: string, orderId: string): OpenOrderPlace | null {
    const { reservations, balances, clientOrderIds } = this.#state;
    const number = reservations.ids.find(orderId);
    if (number < 0) return null;
    const { kind, account: holder, book } = reservations.at(number);
    if (kind !== 'order' || holder !== balances.accounts.find(account)) return null;
    return { orderId, book, clientOrderId: clientOrderIds.clientOrderIdOf(orderId) };
  }

  /** The same of the order that carries a client order id. */
  openOrderCalled(account: string, clientOrderId: string): OpenOrderPlace | null {
    const orderId = this.#state.clientOrderIds.orderOf(account, clientOrderId);
    return orderId === null ? null : this.openOrder(account, orderId);
  }

  /** Client order ids of orders, null for one that has none or is not remembered. */
  clientOrderIds(orderIds: readonly string[]): (string | null)[] {
    return orderIds.map((id) => this.#state.clientOrderIds.clientOrderIdOf(id));
  }

  /** What each open order and amendment of a book holds. */
  reservations(book: string): ReservationRow[] {
    const { reservations, balances } = this.#state;
    const rows: ReservationRow[] = [];
    for (const number of reservations.all()) {
      const { book: symbol, kind, account, reserve, allowance, position } = reservations.at(number);
      if (symbol !== book) continue;
      const id = reservations.ids.text(number);
      rows.push({ kind, id, account: balances.accounts.text(account), reserve, allowance, position });
    }
    return rows;
  }

  /**
   * Whether an order of this id will never be admitted any more, because it is too old to be told from a repetition, and holds nothing. What became
   * of it, if anything, stands in the read model.
   */
  isForgotten(orderId: string): boolean {
    const { recentIds, reservations } = this.#state;
    return recentIds.isForgotten(orderId) && reservations.ids.find(orderId) < 0;
  }

  /** What the orders of an API key come to by `time_ms`, against its daily limits. */
  keyUse(keyId: string, time_ms: number): KeyUse {
    return this.#state.limitedKeys.useAt(keyId, time_ms);
  }

  /** What a sell of so many shares would have cost: by the oldest lots that are free, or on average. */
  costOf(account: string, asset: string, quantity: number): number {
    const { balances, lots, ruleSet } = this.#state;
    const balance = balances.find(account, asset);
    if (balance < 0) return 0;
    return lots.isHolding(balance) ? lots.costOfFree(balance, quantity) : balances.costOf(balance, quantity, ruleSet);
  }

  pendingCancellations(): PendingCancellation[] {
    return [...this.#state.cancellations.values()];
  }

  /** What of a kind it holds, from a place on: `count` places at most. */
  heldPage(kind: HeldKind, from: number, count: number): HeldPage {
    return heldPage(this.#state, kind, from, count);
  }

  /** What it holds under these keys. */
  heldRows(kind: HeldKind, keys: readonly string[]): HeldRow[] {
    return heldRows(this.#state, kind, keys);
  }

  get hasPendingCancellations(): boolean {
    return this.#state.cancellations.size > 0;
  }

  /** Amendments are reservations, too. */
  get size(): {
    accounts: number;
    balances: number;
    reservations: number;
    amendments: number;
    lots: number;
    unsettled: number;
  } {
    const { balances, reservations, lots, unsettled } = this.#state;
    return {
      accounts: balances.accounts.size,
      balances: balances.count,
      reservations: reservations.count,
      amendments: reservations.amendments.total,
      lots: lots.count,
      unsettled: unsettled.count,
    };
  }

  stateHash(): string {
    return stateHashOf(this.#state);
  }

  /** What of L1 to L3 and the lots does not hold, over all that it holds; [] when all is right. */
  violations(): LedgerViolationRow[] {
    return violationsOf(this.#state);
  }

  /** The whole state in pieces, which are views: write them before anything changes. */
  checkpoint(): Iterable<CheckpointPiece> {
    return checkpointOf(this.#state);
  }

  #lotRecord(lot: number): LotRecord {
    const { balances, lots } = this.#state;
    const balance = lots.balance(lot);
    return lots.record(lot, balances.accountId(balance), balances.asset(balance));
  }
}

function emptyState(known: readonly RuleSet[], limits: Partial<LedgerLimits>): LedgerState {
  const { version } = FIRST_RULES;
  return new LedgerState(known, { version, limits: { ...FIRST_RULES.limits, ...limits } }, ruleSetOf(known, version));
}

function applied(
  state: LedgerState,
  transaction: LedgerTransaction,
  context: AdmissionContext,
): Applied<LedgerOutcome> {
  switch (transaction.kind) {
    case 'batch':
      return applyBatch(state, transaction, context);
    case 'own':
      return applyOwnership(state, transaction);
    case 'transfer':
      return changedIfDone(applyTransfer(state, transaction));
    case 'transfer_request':
      return changedIfDone(applyTransferRequest(state, transaction));
    case 'transfer_decision':
      return changedIfDone(applyTransferDecision(state, transaction));
    case 'grant':
      return changedIfDone(applyGrant(state, transaction));
    case 'facts':
      return changedIfDone(applyFacts(state, transaction));
    case 'family':
      return changedIfDone(applyFamily(state, transaction));
    case 'revoke_keys':
      return changedIfDone(applyRevocation(state, transaction));
    case 'market':
      return changedIfDone(applyMarketChange(state, transaction));
    case 'venue':
      return changedIfDone(applyVenueChange(state, transaction));
    case 'rate':
      return changedIfDone(applyRateChange(state, transaction));
    case 'adjust_trade':
      return changedIfDone(applyTradeAdjustment(state, transaction, context));
    case 'register_entry':
      return keptForGood(applyRegisterEntry(state, transaction));
    case 'distribution':
      return changedIfDone(applyDistribution(state, transaction));
    case 'bridge':
      return appliedBridgeMovement(applyBridgeMovement(state, transaction), transaction);
    case 'split':
      return changedIfDone(applySplit(state, transaction));
    case 'settle':
      return changedIfDone(applySettlement(state, transaction));
    case 'resolve_break':
      return changedIfDone(applyBreakResolution(state, transaction, context));
    case 'rejected_order':
      return changedIfDone(applyRejectedOrder(state, transaction, context.time));
    case 'cancelled':
      return changedIfDone(applyConfirmation(state, transaction));
    case 'ledger_rules':
      return changedIfDone(applyRulesChange(state, transaction));
  }
}

/**
 * A refusal that may pass is journaled, too: two runs of one event of a register, or of one debit of the bridge, ask with the same id, and what one was refused
 * may not be done for the other. What contradicts itself is refused every time.
 */
function keptForGood<Outcome extends RegisterEntryOutcome | BridgeOutcome>(outcome: Outcome): Applied<Outcome> {
  return { outcome, changed: outcome.type !== 'malformed' };
}

/** A refused debit is refused for good. A payment to an account has one id, so a refusal that may pass leaves it open. */
function appliedBridgeMovement(outcome: BridgeOutcome, { type }: BridgeMovement): Applied<LedgerOutcome> {
  return type === 'burn' ? keptForGood(outcome) : changedIfDone(outcome);
}

function changedIfDone(outcome: LedgerOutcome): Applied<LedgerOutcome> {
  return { outcome, changed: outcome.type === 'done' };
}
