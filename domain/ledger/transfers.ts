import { AMOUNT_MAX, COST_MAX, NO_BALANCE } from './balances.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import type { LedgerState } from './ledger-state.ts';
import type { ChangeOutcome, TransferOutcome } from './outcomes.ts';
import { lotsRefusal } from './quotas.ts';
import type { ReceivedLot } from './records.ts';
import { hasRegister } from './register-entries.ts';
import type { Grant, Transfer } from './transactions.ts';

/** Moves money or shares between an account and its boundary account, with their lots and cost, whole or not at all. */
export function applyTransfer(state: LedgerState, transfer: Transfer): TransferOutcome {
  const { balances, limits, ruleSet } = state;
  const { account, asset, amount } = transfer;
  const isDeposit = transfer.type === 'deposit';
  const boundaryAccount = isDeposit ? BOUNDARY_ACCOUNT.deposits : BOUNDARY_ACCOUNT.withdrawals;
  if (hasRegister(state, asset)) return { type: 'goes_by_register' };
  const found = balances.find(account, asset);
  const { cost: costBefore, ...before } = found < 0 ? NO_BALANCE : balances.at(found);
  if (!isDeposit && before.available < amount)
    return { type: 'insufficient_balance', required: amount, available: before.available };
  const settled = before.available - state.unsettled.sumOf(account, asset, 'shares');
  if (!isDeposit && settled < amount) return { type: 'unsettled', required: amount, available: Math.max(0, settled) };
  if (found < 0 && (balances.count >= limits.balancesMax || state.hasNoRoomFor(account, asset)))
    return { type: 'ledger_full' };
  const tooMany = isDeposit ? lotsRefusal(state, asset, new Map([[account, transfer.lots.length]])) : null;
  if (tooMany !== null) return tooMany;
  const signed = isDeposit ? amount : -amount;
  const cost = isDeposit ? transfer.cost : found < 0 ? 0 : -balances.costOf(found, amount, ruleSet);
  const boundaryTotal = balances.availableOf(boundaryAccount, asset) - signed;
  const isSupplyTooLarge =
    isDeposit && Math.max(supplyOf(state, asset), balances.heldByAccounts(asset)) + amount > AMOUNT_MAX;
  const isCostTooLarge = isDeposit && !(Number.isSafeInteger(cost) && cost >= 0 && costBefore + cost <= COST_MAX);
  if (isSupplyTooLarge || isCostTooLarge || !Number.isSafeInteger(boundaryTotal)) return { type: 'balance_too_large' };
  if (isDeposit && transfer.tracksLots && !hasItsLots(state, transfer)) return { type: 'malformed' };
  const boundary = balances.open(boundaryAccount, asset);
  const balance = balances.open(account, asset);
  balances.addCost(balance, cost);
  balances.addAvailable(balance, signed);
  balances.addAvailable(boundary, -signed);
  return {
    type: 'done',
    before,
    after: { available: before.available + signed, held: before.held },
    lotIds: transfer.tracksLots ? moveLots(state, transfer, balance) : [],
  };
}

/** What of an asset has come in and not left again. */
function supplyOf({ balances }: LedgerState, asset: string): number {
  return (
    -balances.availableOf(BOUNDARY_ACCOUNT.deposits, asset) - balances.availableOf(BOUNDARY_ACCOUNT.withdrawals, asset)
  );
}

/** Lots of what a deposit brings, none of which is here already. */
function hasItsLots({ lots }: LedgerState, { lots: brought, amount }: Transfer): boolean {
  const isLot = ({ id, quantity }: ReceivedLot) => quantity > 0 && lots.ids.find(id) < 0;
  return (
    brought.every(isLot) &&
    new Set(brought.map(({ id }) => id)).size === brought.length &&
    brought.reduce((total, { quantity }) => total + quantity, 0) === amount
  );
}

function moveLots({ lots }: LedgerState, transfer: Transfer, balance: number): string[] {
  if (transfer.type === 'deposit') {
    for (const lot of transfer.lots) lots.insert(balance, lot, 'registered');
    return transfer.lots.map(({ id }) => id);
  }
  const taken = lots.withdraw(balance, transfer.amount).map(({ lot }) => lot);
  const ids = taken.map((lot) => lots.ids.text(lot));
  lots.removeSpent(taken);
  return ids;
}

/** Moves an allowance from boundary:limits to the account, or back from what it has available. */
export function applyGrant(state: LedgerState, grant: Grant): ChangeOutcome {
  const { balances, limits } = state;
  const { account, asset, amount } = grant;
  const isAsExpected = grant.expect.every((expected) => {
    const balance = balances.find(expected.account, expected.asset);
    const { available, held } = balance < 0 ? NO_BALANCE : balances.at(balance);
    return available === expected.available && held === expected.held;
  });
  const found = balances.find(account, asset);
  const { available, held } = found < 0 ? NO_BALANCE : balances.at(found);
  const isFull = found < 0 && (balances.count >= limits.balancesMax || state.hasNoRoomFor(account, asset));
  const boundaryTotal = balances.availableOf(BOUNDARY_ACCOUNT.limits, asset) - amount;
  const isTooLarge = available + amount + held > AMOUNT_MAX || !Number.isSafeInteger(boundaryTotal);
  if (!isAsExpected || isFull || isTooLarge || available + amount < 0) return { type: 'stale', version: 0 };
  balances.addAvailable(balances.open(BOUNDARY_ACCOUNT.limits, asset), -amount);
  balances.addAvailable(balances.open(account, asset), amount);
  return { type: 'done', version: 0, cancelIn: [] };
}
