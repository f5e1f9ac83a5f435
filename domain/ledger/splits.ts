import { AMOUNT_MAX } from './balances.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import { convertHolding } from './convert-holding.ts';
import type { LedgerState } from './ledger-state.ts';
import type { SplitChange, SplitOutcome } from './outcomes.ts';
import { hasRegister, isSplitting } from './register-entries.ts';
import type { SplitState } from './split-state.ts';
import { endsAll, isConversionRatio, isSplitRatio, type SplitRatio, splitLots, splitUnits } from './split-units.ts';
import type { Conversion, Split, SplitBegin } from './transactions.ts';

/** So that what a part has changed fits into one row of the journal. One account goes beyond the lots alone. */
const PART_ACCOUNTS_MAX = 1_000;
const PART_LOTS_MAX = 2_000;

const { issuance: ISSUANCE, register: REGISTER } = BOUNDARY_ACCOUNT;

/** Whether a trade moved shares that have been split since, or are being split. */
export function isFromBeforeSplit(
  { splits, lastSplits }: Pick<LedgerState, 'splits' | 'lastSplits'>,
  asset: string,
  trade: { readonly executedAt: number },
): boolean {
  const last = lastSplits.get(asset);
  return splits.has(asset) || (last !== undefined && trade.executedAt <= last.at);
}

/** A step of a split: its beginning, one part of the accounts, or its end before anything has moved. Whole or not at all. */
export function applySplit(state: LedgerState, split: Split): SplitOutcome {
  const { asset, step } = split;
  if (state.lastSplits.get(asset)?.split === split.split) return { type: 'over' };
  const under = state.splits.get(asset);
  if (step.type === 'begin') return begin(state, split, step);
  if (under?.split !== split.split) return { type: 'not_under_way' };
  return step.type === 'part' ? carryOut(state, split, under, step.part) : giveUp(state, asset, under);
}

function begin(state: LedgerState, { split, asset }: Split, { type: _, books, ...terms }: SplitBegin): SplitOutcome {
  const { balances, splits } = state;
  const under = splits.get(asset);
  if (under !== undefined) return under.split === split ? moved(under.part) : { type: 'under_way' };
  const { from, to } = terms.register;
  const { into } = terms;
  if (
    !(isSplitRatio(terms) || endsAll(terms)) ||
    ![from, to, into?.register ?? 0].every((units) => Number.isSafeInteger(units) && units >= 0)
  )
    return { type: 'malformed' };
  if (into !== undefined && !(endsAll(terms) && isConversionRatio(into) && into.asset !== asset))
    return { type: 'malformed' };
  if (isSplitting(state, asset) || (into !== undefined && isSplitting(state, into.asset))) return { type: 'under_way' };
  const issuance = balances.find(ISSUANCE, asset);
  if (issuance < 0 || (into !== undefined && !hasRegister(state, into.asset))) return { type: 'no_register' };
  if (balances.availableOf(REGISTER, asset) !== from) return { type: 'register_differs' };
  for (const number of state.reservations.all())
    if (books.includes(state.reservations.at(number).book)) return { type: 'held', account: null };
  // This walks every balance of the ledger, so it reads no names.
  const [asked, own] = [balances.assetNumber(issuance), [issuance, balances.find(REGISTER, asset)]];
  const holders: number[] = [];
  let units = 0;
  for (let balance = 0; balance < balances.count; balance++) {
    if (balances.assetNumber(balance) !== asked || own.includes(balance)) continue;
    if (!isFree(state, balance)) return { type: 'held', account: balances.accountId(balance) };
    units += balances.available(balance);
    if (balances.available(balance) > 0) holders.push(balance);
  }
  // Each account is rounded by less than one.
  const totalBy = (ratio: Pick<SplitRatio, 'from' | 'to'>) =>
    (BigInt(units) * BigInt(ratio.to)) / BigInt(ratio.from) + BigInt(holders.length);
  if (BigInt(to) + totalBy(terms) > BigInt(AMOUNT_MAX)) return { type: 'balance_too_large' };
  if (into !== undefined) {
    const outstanding = BigInt(-balances.availableOf(ISSUANCE, into.asset));
    if (outstanding + BigInt(into.register) + totalBy(into) > BigInt(AMOUNT_MAX)) return { type: 'balance_too_large' };
    if (!hasRoom(state, holders, into)) return { type: 'ledger_full' };
  }
  splits.set(asset, { ...terms, split, part: 0, next: 0 });
  return moved(0);
}

/** Whether those who get units of another asset may all have a balance of it. What one account may have counts for nothing here: nobody keeps back the others. */
function hasRoom({ balances, limits }: LedgerState, holders: readonly number[], { asset }: Conversion): boolean {
  const missing = [REGISTER, ...holders.map((balance) => balances.accountId(balance))].filter(
    (account) => balances.find(account, asset) < 0,
  );
  return balances.count + missing.length <= limits.balancesMax;
}

/** Of accounts: nothing is in orders or requested withdrawals, and all of it has settled. Of boundary accounts: there is nothing. */
function isFree({ balances, unsettled }: LedgerState, balance: number): boolean {
  if (balances.held(balance) !== 0) return false;
  if (balances.isBoundary(balance)) return balances.available(balance) === 0;
  if (unsettled.count === 0) return true;
  return unsettled.sumOf(balances.accountId(balance), balances.asset(balance), 'shares') === 0;
}

function carryOut(state: LedgerState, { asset, createdAt }: Split, under: SplitState, part: number): SplitOutcome {
  const { balances, lots } = state;
  if (part !== under.part + 1) return { type: 'not_next', part: under.part };
  const issuance = balances.open(ISSUANCE, asset);
  const { chosen, next } = accountsOf(state, under.next, balances.assetNumber(issuance));
  const held = chosen.find(({ balance }) => !isFree(state, balance));
  if (held !== undefined) return { type: 'held', account: balances.accountId(held.balance) };
  const { into } = under;
  const holders = chosen.map(({ balance }) => balance);
  if (into !== undefined && !hasRoom(state, holders, into)) return { type: 'ledger_full' };
  const isOver = next === balances.count;

  const changes: SplitChange[] = [];
  const got: SplitChange[] = [];
  const lotIds: string[] = [];
  for (const { balance, held: theirs } of chosen) {
    const change = splitUnits(balances.available(balance), under) - balances.available(balance);
    if (change === 0) continue;
    changes.push({ account: balances.accountId(balance), change });
    lotIds.push(...theirs.map((lot) => lots.ids.text(lot)));
    if (into === undefined) splitHolding(state, theirs, under);
    else {
      const units = convertHolding(state, { balance, lots: theirs }, into);
      if (units > 0) got.push({ account: balances.accountId(balance), change: units });
    }
    balances.addAvailable(balance, change);
    if (balances.available(balance) === 0) balances.addCost(balance, -balances.cost(balance));
  }
  if (isOver && under.register.to !== under.register.from) {
    const change = under.register.to - under.register.from;
    balances.addAvailable(balances.open(REGISTER, asset), change);
    changes.push({ account: REGISTER, change });
  }
  balances.addAvailable(issuance, -sumOf(changes));
  if (into !== undefined) {
    if (isOver && into.register > 0) {
      balances.addAvailable(balances.open(REGISTER, into.asset), into.register);
      got.push({ account: REGISTER, change: into.register });
    }
    balances.addAvailable(balances.open(ISSUANCE, into.asset), -sumOf(got));
  }
  if (isOver) {
    state.splits.delete(asset);
    state.lastSplits.set(asset, { split: under.split, at: createdAt });
  } else state.splits.set(asset, { ...under, part, next });
  const done = { type: 'done', part, isOver, changes, lotIds } as const;
  return into === undefined ? done : { ...done, converted: { asset: into.asset, changes: got } };
}

function sumOf(changes: readonly SplitChange[]): number {
  return changes.reduce((sum, { change }) => sum + change, 0);
}

/** The next accounts with shares of the asset, with their lots, and the balance from which the part after goes on. */
function accountsOf({ balances, lots }: LedgerState, from: number, asset: number) {
  const chosen: { readonly balance: number; readonly held: readonly number[] }[] = [];
  let lotCount = 0;
  let next = from;
  for (; next < balances.count && chosen.length < PART_ACCOUNTS_MAX; next++) {
    const isTheirs = balances.assetNumber(next) === asset && !balances.isBoundary(next);
    if (!isTheirs || balances.available(next) + balances.held(next) === 0) continue;
    const held = [...lots.of(next)];
    if (chosen.length > 0 && lotCount + held.length > PART_LOTS_MAX) break;
    lotCount += held.length;
    chosen.push({ balance: next, held });
  }
  return { chosen, next };
}

/** What a lot of which nothing is left has cost goes to the oldest of those that are left. */
function splitHolding({ lots }: LedgerState, held: readonly number[], ratio: SplitRatio): void {
  const units = splitLots(
    held.map((lot) => lots.quantity(lot)),
    ratio,
  );
  const oldest = held.find((_, at) => (units[at] as number) > 0);
  for (const [at, lot] of held.entries()) {
    if (units[at] === 0 && oldest !== undefined) lots.addCost(oldest, lots.cost(lot));
    lots.setQuantity(lot, units[at] as number);
  }
  lots.removeSpent(held);
}

function giveUp({ splits }: LedgerState, asset: string, { part }: SplitState): SplitOutcome {
  if (part > 0) return { type: 'not_next', part };
  splits.delete(asset);
  return moved(0);
}

function moved(part: number): SplitOutcome {
  return { type: 'done', part, isOver: false, changes: [], lotIds: [] };
}
