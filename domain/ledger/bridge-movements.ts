import { AMOUNT_MAX, NO_BALANCE } from './balances.ts';
import { bridgeBoundary } from './boundary-accounts.ts';
import { type BridgePurpose, bridgeMovementId } from './bridge-movement-id.ts';
import type { LedgerState } from './ledger-state.ts';
import type { BridgeOutcome } from './outcomes.ts';
import { hasRegister } from './register-entries.ts';
import type { RuleSet } from './rule-set.ts';
import type { BridgeMovement } from './transactions.ts';

const NAME = /^[\w.-]{1,64}$/;
const COMMITMENT = /^[0-9a-f]{64}$/;
/** What each type is for: a transfer has one debit, one payout, one refund and one fee at most, since each has one id. */
const PURPOSES: Readonly<Record<BridgeMovement['type'], readonly BridgePurpose[]>> = {
  burn: ['debit'],
  mint: ['payout', 'refund', 'fee'],
  void: ['payout'],
};

/** Moves units between an account and a vault's boundary account, whole or not at all. */
export function applyBridgeMovement(state: LedgerState, movement: BridgeMovement): BridgeOutcome {
  const { balances, ruleSet } = state;
  const { type, account, asset, amount, vault } = movement;
  if (!isWellFormed(movement, ruleSet)) return { type: 'malformed' };
  if (type === 'void') return { type: 'done' };
  if (hasRegister(state, asset)) return { type: 'goes_by_register' };
  const outside = bridgeBoundary(vault);
  const minted = 0 - balances.availableOf(outside, asset);
  const found = balances.find(account, asset);
  const refusal = type === 'mint' ? mintRefusal(state, movement, found, minted) : burnRefusal(state, movement, minted);
  if (refusal !== null) return refusal;
  const boundary = balances.open(outside, asset);
  const balance = balances.open(account, asset);
  const signed = type === 'mint' ? amount : -amount;
  if (signed < 0) balances.addCost(balance, -balances.costOf(balance, amount, ruleSet));
  balances.addAvailable(balance, signed);
  balances.addAvailable(boundary, -signed);
  return { type: 'done' };
}

function mintRefusal(
  state: LedgerState,
  { account, asset, amount }: BridgeMovement,
  found: number,
  minted: number,
): BridgeOutcome | null {
  const { balances, limits } = state;
  if (found < 0 && (balances.count >= limits.balancesMax || state.hasNoRoomFor(account, asset)))
    return { type: 'ledger_full' };
  const { available, held } = found < 0 ? NO_BALANCE : balances.at(found);
  // Vaults have bounds of their own: what all accounts have of an asset, by whatever way it came, stays exact.
  const isTooMuch = [minted, available + held, balances.heldByAccounts(asset)].some((had) => had + amount > AMOUNT_MAX);
  return isTooMuch ? { type: 'balance_too_large' } : null;
}

/** Shares that have not settled stay, as they do for withdrawals. */
function burnRefusal(
  state: LedgerState,
  { account, asset, amount }: BridgeMovement,
  minted: number,
): BridgeOutcome | null {
  const { balances } = state;
  if (balances.isFrozen(account)) return { type: 'account_frozen' };
  const available = balances.availableOf(account, asset) - state.unsettled.sumOf(account, asset, 'shares');
  if (available < amount) return { type: 'insufficient_balance', required: amount, available: Math.max(0, available) };
  return minted < amount ? { type: 'vault_short', required: amount, available: minted } : null;
}

function isWellFormed(
  { id, transfer, commitment, type, account, amount, vault }: BridgeMovement,
  { debitsNameTerms, paymentsNameTerms, creditsFees }: RuleSet,
): boolean {
  const namesTerms = type === 'burn' ? debitsNameTerms : paymentsNameTerms;
  const mayName = commitment === undefined || (namesTerms && COMMITMENT.test(commitment));
  const purposes = PURPOSES[type].filter((purpose) => creditsFees || purpose !== 'fee');
  const isItsId = mayName && purposes.some((purpose) => id === bridgeMovementId(transfer, purpose, commitment));
  const isAmount = Number.isSafeInteger(amount) && amount > 0 && amount <= AMOUNT_MAX;
  const isVault = NAME.test(vault.organization) && NAME.test(vault.chain);
  return isItsId && isAmount && isVault && !account.startsWith('boundary:');
}
