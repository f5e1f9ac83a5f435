import { isBoundary } from './balances.ts';
import type { LedgerState } from './ledger-state.ts';
import type { LedgerViolationRow } from './outcomes.ts';
import { heldByRequests } from './transfer-requests.ts';

/** Checks L1 to L3 and the lots over all that the ledger holds; every violation that it finds. */
export function violationsOf(state: LedgerState): LedgerViolationRow[] {
  return [
    ...balanceViolations(state),
    ...holdViolations(state),
    ...limitViolations(state),
    ...lotViolations(state),
    ...unsettledViolations(state),
  ];
}

/** L1: all balances of an asset sum to zero. L2: only boundary accounts are negative. */
function* balanceViolations({ balances }: LedgerState): Generator<LedgerViolationRow> {
  const sums = new Map<string, number>();
  for (let balance = 0; balance < balances.count; balance++) {
    const [available, held] = [balances.available(balance), balances.held(balance)];
    const asset = balances.asset(balance);
    sums.set(asset, (sums.get(asset) ?? 0) + available + held);
    if ((available < 0 || held < 0) && !isBoundary(balances.accountId(balance))) {
      const violation = `account ${balances.accountId(balance)} has ${available} available and ${held} held of ${asset}`;
      yield { invariant: 'L2', violation };
    }
  }
  for (const [asset, sum] of sums)
    if (sum !== 0) yield { invariant: 'L1', violation: `asset ${asset} is off by ${sum}` };
}

/** What waits to settle is an account's, for cash and shares of which it has a balance, and never less than nothing. */
function* unsettledViolations({ balances, unsettled }: LedgerState): Generator<LedgerViolationRow> {
  for (const { account, asset, amount } of unsettled.all()) {
    if (amount >= 0 && !isBoundary(account) && balances.find(account, asset) >= 0) continue;
    yield { invariant: 'unsettled', violation: `account ${account} waits for ${amount} of ${asset}` };
  }
}

/** L3: what is held is what reservations and open withdrawals hold. */
function* holdViolations(state: LedgerState): Generator<LedgerViolationRow> {
  const { balances, reservations } = state;
  const reserved = new Float64Array(balances.count);
  for (const number of reservations.all()) {
    const { reserveBalance, allowanceBalance, positionBalance, ...amounts } = reservations.at(number);
    reserved[reserveBalance] = (reserved[reserveBalance] ?? 0) + amounts.reserve;
    if (allowanceBalance >= 0) reserved[allowanceBalance] = (reserved[allowanceBalance] ?? 0) + amounts.allowance;
    if (positionBalance >= 0) reserved[positionBalance] = (reserved[positionBalance] ?? 0) + amounts.position;
  }
  for (const [balance, amount] of heldByRequests(state)) reserved[balance] = (reserved[balance] ?? 0) + amount;
  for (const [balance, amount] of reserved.entries()) {
    if (amount === balances.held(balance)) continue;
    const name = `account ${balances.accountId(balance)} holds ${balances.held(balance)} of ${balances.asset(balance)}`;
    yield { invariant: 'L3', violation: `${name}, its orders and withdrawals reserve ${amount}` };
  }
}

/** What a key's sells hold against its daily loss is what its open orders hold, and it counts as many as are open. */
function* limitViolations({ reservations, limitedKeys }: LedgerState): Generator<LedgerViolationRow> {
  const held = new Map<number, { orders: number; lossHeld: number }>();
  for (const number of reservations.all()) {
    const order = limitedKeys.at(number);
    if (order === null) continue;
    const { orders, lossHeld } = held.get(order.key) ?? { orders: 0, lossHeld: 0 };
    held.set(order.key, { orders: orders + 1, lossHeld: lossHeld + order.lossHeld });
  }
  for (let key = 0; key < limitedKeys.ids.end; key++) {
    if (!limitedKeys.ids.has(key)) continue;
    const { orders, lossHeld } = held.get(key) ?? { orders: 0, lossHeld: 0 };
    const said = limitedKeys.use(key).lossHeld;
    if (said === lossHeld && limitedKeys.openOrders(key) === orders) continue;
    const name = `key ${limitedKeys.ids.text(key)} has ${limitedKeys.openOrders(key)} open orders that may lose ${said}`;
    yield { invariant: 'L3', violation: `${name}, by its orders ${orders} and ${lossHeld}` };
  }
}

/** Each lot's reserved shares sum to what is reserved of it; the lots of a holding to its balance, what is reserved of them to what is held. */
function* lotViolations({ balances, reservations, lots }: LedgerState): Generator<LedgerViolationRow> {
  const shares = new Map<number, number>();
  for (const number of reservations.all())
    for (const { lot, quantity } of lots.shares(number)) shares.set(lot, (shares.get(lot) ?? 0) + quantity);
  const tracked = new Set<number>();
  for (const balance of lots.holdings()) {
    tracked.add(balances.assetNumber(balance));
    for (const lot of lots.of(balance)) {
      const taken = shares.get(lot) ?? 0;
      if (taken === lots.reserved(lot)) continue;
      const violation = `lot ${lots.ids.text(lot)} has ${lots.reserved(lot)} reserved, its shares are ${taken}`;
      yield { invariant: 'lots', violation };
    }
  }
  for (let balance = 0; balance < balances.count; balance++) {
    if (!tracked.has(balances.assetNumber(balance))) continue;
    let [quantity, reserved] = [0, 0];
    for (const lot of lots.of(balance)) {
      quantity += lots.quantity(lot);
      reserved += lots.reserved(lot);
    }
    const { available, held } = balances.at(balance);
    const isRight = quantity === available + held && reserved === held;
    if (isRight || isBoundary(balances.accountId(balance))) continue;
    const name = `account ${balances.accountId(balance)} has lots of ${quantity} ${balances.asset(balance)}`;
    const violation = `${name} (${reserved} reserved), balance ${available + held} (${held} held)`;
    yield { invariant: 'lots', violation };
  }
}
