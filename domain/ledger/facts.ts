import { learnOwner } from './admission.ts';
import { NO_BALANCE } from './balances.ts';
import type { LedgerState } from './ledger-state.ts';
import type { ChangeOutcome, FamilyOutcome, PendingCancellation, RecordOutcome } from './outcomes.ts';
import type {
  AllowanceCeiling,
  CancellationConfirmed,
  FactsChange,
  FamilyChange,
  KeyRevocation,
  MarketChange,
  RejectedOrderRecord,
  VenueChange,
} from './transactions.ts';

/** New facts of an account: nothing that was checked under the old ones is admitted from now on. */
export function applyFacts(state: LedgerState, change: FactsChange): ChangeOutcome {
  const { id, account } = change;
  const version = state.balances.factsVersion(account);
  const isMoved = change.ceiling != null && hasMoved(state, account, change.ceiling);
  if (version !== change.expectedVersion || isMoved) return { type: 'stale', version };
  const isFrozen = change.facts === null ? state.balances.isFrozen(account) : change.facts.frozen;
  state.balances.setFacts(account, version + 1, isFrozen);
  const over = change.cancelsOrders || change.ceiling == null ? [] : booksOver(state, account, change.ceiling);
  const cancelIn = change.cancelsOrders ? state.openBooks(account) : over;
  const side = over.length > 0 ? ({ side: 'buy' } as const) : {};
  keepCancellation(state, { id, account, keyIds: null, ...side, books: cancelIn });
  return { type: 'done', version: version + 1, cancelIn };
}

/** Family of each other, or no longer: the facts of both have moved. */
export function applyFamily(state: LedgerState, change: FamilyChange): FamilyOutcome {
  const { id, account, relative, expectedVersion, expectedRelativeVersion } = change;
  const { balances } = state;
  const [version, relativeVersion] = [balances.factsVersion(account), balances.factsVersion(relative)];
  if (version !== expectedVersion || relativeVersion !== expectedRelativeVersion) return { type: 'stale' };
  for (const each of [account, relative])
    balances.setFacts(each, balances.factsVersion(each) + 1, balances.isFrozen(each));
  const isEnd = change.change.type === 'ended';
  const books = [...new Set([...state.openBooks(account), ...state.openBooks(relative)])];
  const cancelIn = isEnd ? books : [];
  keepCancellation(state, { id, account, keyIds: null, relative, books: cancelIn });
  return { type: 'done', version: version + 1, relativeVersion: relativeVersion + 1, cancelIn };
}

function hasMoved({ balances }: LedgerState, account: string, ceiling: AllowanceCeiling): boolean {
  const balance = balances.find(account, ceiling.asset);
  const { available, held } = balance < 0 ? NO_BALANCE : balances.at(balance);
  return available !== ceiling.available || held !== ceiling.held;
}

/** Books whose orders draw on an allowance of which more is held than may be; none where it is not. */
function booksOver(
  { balances, reservations }: LedgerState,
  account: string,
  { asset, heldMax }: AllowanceCeiling,
): string[] {
  const balance = balances.find(account, asset);
  if (balance < 0 || balances.held(balance) <= heldMax) return [];
  return reservations.booksOf(balances.account(balance), balance);
}

/**
 * API keys that end. The account's facts get another version, so that nothing is admitted that was checked under one of them, amendments of
 * other orders included.
 */
export function applyRevocation(state: LedgerState, { id, account, keyIds }: KeyRevocation): ChangeOutcome {
  for (const keyId of keyIds) state.revokedKeys.intern(keyId);
  const version = state.balances.factsVersion(account) + 1;
  state.balances.setFacts(account, version, state.balances.isFrozen(account));
  const cancelIn = state.openBooks(account);
  keepCancellation(state, { id, account, keyIds, books: cancelIn });
  return { type: 'done', version, cancelIn };
}

export function applyMarketChange(state: LedgerState, { symbol, expectedVersion, rules }: MarketChange): ChangeOutcome {
  const { version } = state.market(symbol);
  if (version !== expectedVersion) return { type: 'stale', version };
  state.markets.set(symbol, { version: version + 1, status: rules.status });
  return { type: 'done', version: version + 1, cancelIn: [] };
}

export function applyVenueChange(state: LedgerState, { halted }: VenueChange): ChangeOutcome {
  state.isVenueHalted = halted;
  return { type: 'done', version: 0, cancelIn: [] };
}

/** Remembers an order that order entry has refused, unless its id is known. */
export function applyRejectedOrder(state: LedgerState, { order }: RejectedOrderRecord, time: number): RecordOutcome {
  const { recentIds, reservations, clientOrderIds } = state;
  const { id, account, clientOrderId } = order;
  if (recentIds.has(id) || reservations.ids.find(id) >= 0) return { type: 'exists' };
  recentIds.add(id, time);
  if (clientOrderId !== null && clientOrderIds.orderOf(account, clientOrderId) === null)
    clientOrderIds.add(account, clientOrderId, id, false);
  learnOwner(state, order);
  return { type: 'done' };
}

/** A book has cancelled what it was asked to. */
export function applyConfirmation({ cancellations }: LedgerState, { id, book }: CancellationConfirmed): RecordOutcome {
  const pending = cancellations.get(id);
  if (pending === undefined || !pending.books.includes(book)) return { type: 'exists' };
  const books = pending.books.filter((symbol) => symbol !== book);
  if (books.length === 0) cancellations.delete(id);
  else cancellations.set(id, { ...pending, books });
  return { type: 'done' };
}

function keepCancellation({ cancellations }: LedgerState, pending: PendingCancellation): void {
  if (pending.books.length > 0) cancellations.set(pending.id, pending);
}
