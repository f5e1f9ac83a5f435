import type { LedgerState } from './ledger-state.ts';
import type { ReservationRow } from './outcomes.ts';
import type { AccountBalance, LotRecord } from './records.ts';
import { type UnsettledSum, unsettledKey } from './unsettled.ts';

/** What an audit compares, row by row: balances that are not zero, lots, open orders with what they reserve, and what waits to settle. */
export type HeldKind = 'balance' | 'lot' | 'order' | 'unsettled';

/** Whose places have numbers. */
type NumberedKind = Exclude<HeldKind, 'unsettled'>;

/** One row in words that are the same wherever the same stands. */
export interface HeldRow {
  /** Account and asset of a balance, with a space between; the id of a lot or an order; account, asset, kind and day of what waits. */
  readonly key: string;
  readonly says: string;
}

export interface HeldPage {
  readonly rows: readonly HeldRow[];
  /** Where the next page begins; null after the last. */
  readonly next: number | null;
}

/** Null for a balance of nothing, which is as good as none. */
export function balanceRow(balance: AccountBalance & { readonly account: string }): HeldRow | null {
  const { account, asset, available, held, cost } = balance;
  if (available === 0 && held === 0 && cost === 0) return null;
  return { key: `${account} ${asset}`, says: `${available} available, ${held} held, cost ${cost}` };
}

export function lotRow(lot: LotRecord): HeldRow {
  const { id, account, asset, quantity, reserved, cost, acquiredAt, restrictionEndsAt, offeringType } = lot;
  const restriction = restrictionEndsAt === null ? 'free' : `restricted until ${restrictionEndsAt}`;
  const says = `${quantity} of ${asset} of ${account}, ${reserved} reserved, cost ${cost}, acquired at ${acquiredAt}, ${restriction}`;
  return { key: id, says: offeringType === null ? says : `${says}, ${offeringType}` };
}

export function orderRow(order: Omit<ReservationRow, 'kind'> & { readonly book: string | null }): HeldRow {
  const { id, book, account, reserve, allowance, position } = order;
  return { key: id, says: `of ${account} in ${book} holds ${reserve}/${allowance}/${position}` };
}

export function unsettledRow(sum: UnsettledSum): HeldRow {
  return { key: unsettledKey(sum), says: `${sum.amount} waiting` };
}

/** Rows from a place on, `count` places at most: fewer rows where places are empty. */
export function heldPage(state: LedgerState, kind: HeldKind, from: number, count: number): HeldPage {
  if (kind === 'unsettled') {
    const sums = [...state.unsettled.all()];
    const to = from + count;
    return { rows: sums.slice(from, to).map(unsettledRow), next: to < sums.length ? to : null };
  }
  const end = endOf(state, kind);
  const to = Math.min(end, from + count);
  const rows: HeldRow[] = [];
  for (let place = from; place < to; place++) {
    const row = rowAt(state, kind, place);
    if (row !== null) rows.push(row);
  }
  return { rows, next: to < end ? to : null };
}

/** The rows of these keys, of those that are there. */
export function heldRows(state: LedgerState, kind: HeldKind, keys: readonly string[]): HeldRow[] {
  return keys.flatMap((key) => {
    if (kind === 'unsettled') {
      const sum = state.unsettled.at(key);
      return sum === null ? [] : unsettledRow(sum);
    }
    const place = placeOf(state, kind, key);
    return (place < 0 ? null : rowAt(state, kind, place)) ?? [];
  });
}

function endOf({ balances, lots, reservations }: LedgerState, kind: NumberedKind): number {
  switch (kind) {
    case 'balance':
      return balances.count;
    case 'lot':
      return lots.ids.end;
    case 'order':
      return reservations.ids.end;
  }
}

function placeOf({ balances, lots, reservations }: LedgerState, kind: NumberedKind, key: string): number {
  switch (kind) {
    case 'balance': {
      const space = key.indexOf(' ');
      return balances.find(key.slice(0, space), key.slice(space + 1));
    }
    case 'lot':
      return lots.ids.find(key);
    case 'order':
      return reservations.ids.find(key);
  }
}

function rowAt({ balances, lots, reservations }: LedgerState, kind: NumberedKind, place: number): HeldRow | null {
  switch (kind) {
    case 'balance':
      return balanceRow({ account: balances.accountId(place), asset: balances.asset(place), ...balances.at(place) });
    case 'lot': {
      if (!lots.ids.has(place)) return null;
      const balance = lots.balance(place);
      return lotRow(lots.record(place, balances.accountId(balance), balances.asset(balance)));
    }
    case 'order': {
      if (!reservations.ids.has(place) || reservations.isAmendment(place)) return null;
      const { account, ...rest } = reservations.at(place);
      return orderRow({ ...rest, id: reservations.ids.text(place), account: balances.accounts.text(account) });
    }
  }
}
