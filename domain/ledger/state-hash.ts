import type { LedgerState } from './ledger-state.ts';
import { unsettledKey } from './unsettled.ts';

/**
 * A hash of what the ledger says, the same for equal ledgers whatever their numbers: each record is hashed by its names and amounts, and
 * the hashes are summed. Tells a replay that differs, no defence against an adversary.
 */
export function stateHashOf(state: LedgerState): string {
  const { balances, reservations, lots, recentIds, clientOrderIds, limitedKeys, revokedKeys } = state;
  const sum = new HashSum();
  const accounts = balances.accounts;
  for (let balance = 0; balance < balances.count; balance++) {
    const { available, held, cost } = balances.at(balance);
    sum.add(1, accounts.hash(balances.account(balance)), textHash(balances.asset(balance)), available, held, cost);
  }
  for (let holder = 0; holder < accounts.end; holder++) {
    const facts = balances.factsOf(holder);
    if (facts !== 0) sum.add(2, accounts.hash(holder), facts);
  }
  for (const number of reservations.all()) {
    const { book, account, reserve, allowance, position } = reservations.at(number);
    sum.add(3, reservations.ids.hash(number), textHash(book), accounts.hash(account), reserve, allowance, position);
    for (const { lot, quantity } of lots.shares(number))
      sum.add(4, reservations.ids.hash(number), lots.ids.hash(lot), quantity);
    const incoming = reservations.incoming(number);
    if (incoming !== 0) sum.add(32, reservations.ids.hash(number), incoming);
  }
  for (const balance of lots.holdings()) {
    let place = 0;
    for (const lot of lots.of(balance)) {
      place += 1;
      sum.add(5, lots.ids.hash(lot), place, lots.quantity(lot), lots.reserved(lot), lots.cost(lot));
      sum.add(6, lots.ids.hash(lot), lots.acquiredAt(lot), lots.restrictionEndsAt(lot) ?? -1);
      sum.add(7, lots.ids.hash(lot), textHash(lots.offeringType(lot) ?? ''));
      if (lots.origin(lot) === 'bought') sum.add(31, lots.ids.hash(lot));
    }
  }
  for (const { account, investor, partner } of state.owners.hashes()) sum.add(34, account, investor, partner);
  for (let key = 0; key < revokedKeys.end; key++) sum.add(8, revokedKeys.hash(key));
  for (const [symbol, { version, status }] of state.markets) sum.add(9, textHash(symbol), version, textHash(status));
  for (const [book, { owner, batch, settled }] of state.fences)
    sum.add(10, textHash(book), textHash(owner), batch, settled);
  for (const pending of state.cancellations.values()) sum.add(11, textHash(JSON.stringify(pending)));
  for (const request of state.transferRequests.values()) sum.add(21, textHash(JSON.stringify(request)));
  for (const [asset, { version, numerator, denominator }] of state.rates)
    sum.add(22, textHash(asset), version, numerator, denominator);
  for (const waiting of state.unsettled.all()) sum.add(24, textHash(unsettledKey(waiting)), waiting.amount);
  for (const book of state.unsettled.books) sum.add(25, textHash(book));
  sum.add(12, state.isVenueHalted ? 1 : 0);
  for (const { startedAt, hash } of recentIds.hashes()) sum.add(13, startedAt, hash);
  for (const { account, clientOrderId, order } of clientOrderIds.entries())
    sum.add(14, account, textHash(clientOrderId), order);
  for (const { order, place } of clientOrderIds.endedPlaces()) sum.add(33, order, place);
  const { version, limits: bounds } = state.rules;
  sum.add(18, version);
  for (const [name, bound] of Object.entries(bounds)) sum.add(19, textHash(name), bound);
  for (let key = 0; key < limitedKeys.ids.end; key++) {
    if (!limitedKeys.ids.has(key)) continue;
    const { notional, loss, lossHeld } = limitedKeys.use(key);
    const limits = [limitedKeys.notionalMax(key) ?? -1, limitedKeys.lossMax(key) ?? -1, limitedKeys.openOrders(key)];
    sum.add(15, limitedKeys.ids.hash(key), limitedKeys.day, notional, loss, lossHeld, ...limits);
  }
  for (const number of reservations.all()) {
    const order = limitedKeys.at(number);
    if (order === null) continue;
    const { key, notional, lossHeld, cost, quantity, proceeds, rate } = order;
    const id = reservations.ids.hash(number);
    sum.add(16, id, limitedKeys.ids.hash(key), limitedKeys.placedOn(number), notional, lossHeld);
    sum.add(17, id, cost, quantity, proceeds);
    if (rate !== null) sum.add(23, id, rate.numerator, rate.denominator);
  }
  for (const tradeId of state.adjustedTrades.all()) sum.add(20, textHash(tradeId));
  for (const name of state.resolvedBreaks.all()) sum.add(26, textHash(name));
  for (const name of state.bookedExecutions.all()) sum.add(27, textHash(name));
  for (const [asset, { split, part, from, to, register, into }] of state.splits) {
    sum.add(28, textHash(asset), textHash(split), part, from, to, register.to);
    if (into !== undefined)
      sum.add(
        30,
        textHash(split),
        textHash(into.asset),
        into.from,
        into.to,
        into.register,
        into.restrictionEndsAt ?? 0,
      );
  }
  for (const [asset, { split, at }] of state.lastSplits) sum.add(29, textHash(asset), textHash(split), at);
  return sum.text();
}

class HashSum {
  #low = 0;
  #high = 0;

  add(kind: number, ...values: readonly number[]): void {
    let a = kind;
    let b = ~kind;
    for (const value of values) {
      const low = value | 0;
      const high = Math.floor(value / 2 ** 32) | 0;
      a = Math.imul(a ^ low, 0x9e3779b1) ^ high;
      b = Math.imul(b ^ high, 0x85ebca6b) ^ low;
      a ^= a >>> 15;
      b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
    }
    this.#low = (this.#low + a) | 0;
    this.#high = (this.#high + b) | 0;
  }

  text(): string {
    const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
    return hex(this.#high) + hex(this.#low);
  }
}

function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
