import { AMOUNT_MAX, COST_MAX, isBoundary } from './balances.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import type { LedgerState } from './ledger-state.ts';
import type { RegisterEntryFault, RegisterEntryOutcome } from './outcomes.ts';
import { lotsRefusal } from './quotas.ts';
import type { ReceivedLot } from './records.ts';
import type { RegisterEntry, RegisterLeg } from './transactions.ts';

/** So that an entry and its outcome fit into one row of the journal. */
const REGISTER_LEGS_MAX = 1_000;
const REGISTER_LOTS_MAX = 2_000;

const { issuance: ISSUANCE, register: REGISTER } = BOUNDARY_ACCOUNT;

/** Whether shares of the asset come and go by its register: deposits and withdrawals would make it differ from what is outstanding. */
export function hasRegister({ balances }: Pick<LedgerState, 'balances'>, asset: string): boolean {
  return balances.find(ISSUANCE, asset) >= 0;
}

/** Whether shares of the asset are being split, or others converted into it. */
export function isSplitting({ splits }: Pick<LedgerState, 'splits'>, asset: string): boolean {
  return splits.has(asset) || [...splits.values()].some(({ into }) => into?.asset === asset);
}

/** Issues, cancels or moves shares of an asset that goes by its register, whole or not at all. */
export function applyRegisterEntry(state: LedgerState, entry: RegisterEntry): RegisterEntryOutcome {
  const { balances, lots, limits, ruleSet } = state;
  const { asset, legs } = entry;
  const detail = faultOf(state, entry);
  if (detail !== null) return { type: 'malformed', detail };
  if (!hasRegister(state, asset) && balances.heldByAccounts(asset) !== 0) return { type: 'has_deposits' };
  if (isSplitting(state, asset)) return { type: 'split_under_way' };
  for (const { account, change } of legs) {
    if (account === ISSUANCE) continue;
    const available = balances.availableOf(account, asset) - state.unsettled.sumOf(account, asset, 'shares');
    if (available + change < 0)
      return { type: 'insufficient_balance', account, required: -change, available: Math.max(0, available) };
  }
  const issued = -(legs.find(({ account }) => account === ISSUANCE)?.change ?? 0);
  if (issued - balances.availableOf(ISSUANCE, asset) > AMOUNT_MAX) return { type: 'balance_too_large' };
  if (legs.some((leg) => costAfter(state, asset, leg) > COST_MAX)) return { type: 'balance_too_large' };
  const opened = [ISSUANCE, ...legs.map(({ account }) => account)].filter(
    (account, at, all) => all.indexOf(account) === at && balances.find(account, asset) < 0,
  );
  if (balances.count + opened.length > limits.balancesMax || opened.some((each) => state.hasNoRoomFor(each, asset)))
    return { type: 'ledger_full' };
  const merged = new Map(legs.map((leg) => [leg.account, mergedLots(leg)]));
  const tooMany = lotsRefusal(state, asset, new Map(Array.from(merged, ([account, own]) => [account, own.length])));
  if (tooMany !== null) return tooMany;

  balances.open(ISSUANCE, asset);
  const lotIds: string[] = [];
  for (const leg of legs) {
    const balance = balances.open(leg.account, asset);
    if (leg.change < 0 && !isBoundary(leg.account)) {
      balances.addCost(balance, -balances.costOf(balance, -leg.change, ruleSet));
      const taken = lots.withdraw(balance, -leg.change).map(({ lot }) => lot);
      lotIds.push(...taken.map((lot) => lots.ids.text(lot)));
      lots.removeSpent(taken);
    }
    balances.addAvailable(balance, leg.change);
    for (const lot of merged.get(leg.account) ?? []) {
      balances.addCost(balance, lot.cost);
      lots.insert(balance, lot, 'registered');
      lotIds.push(lot.id);
    }
  }
  return { type: 'done', lotIds };
}

/** Rows of one account with one date, restriction and offering become one lot: that of the first of them. */
function mergedLots({ lots }: RegisterLeg): readonly ReceivedLot[] {
  if (lots.length <= 1) return lots;
  const merged = new Map<string, ReceivedLot>();
  for (const lot of lots) {
    const key = `${lot.acquiredAt} ${lot.restrictionEndsAt} ${lot.offeringType}`;
    const first = merged.get(key);
    merged.set(
      key,
      first === undefined ? lot : { ...first, quantity: first.quantity + lot.quantity, cost: first.cost + lot.cost },
    );
  }
  return [...merged.values()];
}

/** What the holding of an account has cost once it has received the lots of a leg. */
function costAfter({ balances }: LedgerState, asset: string, { account, lots }: RegisterLeg): number {
  if (lots.length === 0) return 0;
  const balance = balances.find(account, asset);
  return lots.reduce((sum, { cost }) => sum + cost, balance < 0 ? 0 : balances.cost(balance));
}

function faultOf({ lots }: LedgerState, { legs }: RegisterEntry): RegisterEntryFault | null {
  const received = legs.flatMap((leg) => leg.lots);
  if (legs.length === 0 || legs.length > REGISTER_LEGS_MAX || received.length > REGISTER_LOTS_MAX)
    return 'too_many_legs';
  if (legs.some(({ change }) => change === 0 || !Number.isSafeInteger(change) || Math.abs(change) > AMOUNT_MAX))
    return 'not_whole';
  if (legs.reduce((sum, { change }) => sum + BigInt(change), 0n) !== 0n) return 'unbalanced';
  if (new Set(legs.map(({ account }) => account)).size < legs.length) return 'repeated_account';
  if (legs.some(({ account }) => isBoundary(account) && account !== ISSUANCE && account !== REGISTER))
    return 'foreign_boundary';
  if (!legs.every(hasItsLots)) return 'wrong_lots';
  const ids = received.map(({ id }) => id);
  return new Set(ids).size < ids.length || ids.some((id) => lots.ids.find(id) >= 0) ? 'lot_exists' : null;
}

/** Lots of what an account receives, and of nothing else. */
function hasItsLots({ account, change, lots }: RegisterLeg): boolean {
  if (isBoundary(account) || change < 0) return lots.length === 0;
  const areRight = lots.every(
    (lot) =>
      lot.account === account &&
      Number.isSafeInteger(lot.quantity) &&
      lot.quantity > 0 &&
      Number.isSafeInteger(lot.cost) &&
      lot.cost >= 0,
  );
  return areRight && lots.reduce((sum, { quantity }) => sum + quantity, 0) === change;
}
