import { decided, isOpenRequest } from '../accounts/transfer-request.ts';
import { NO_BALANCE } from './balances.ts';
import type { LedgerState } from './ledger-state.ts';
import type { TransferDecisionOutcome, TransferRequestOutcome } from './outcomes.ts';
import { quotaOf } from './quota-of.ts';
import type { OpenTransferRequest } from './records.ts';
import type { Transfer, TransferDecision, TransferRequest } from './transactions.ts';
import { applyTransfer } from './transfers.ts';

/**
 * Requests that wait for something: of one account, and of all. An account has no more than are still free of the shared ones, and those that it is sure of
 * (`requestsSure`) whatever others have open. A person has one account to ask for, and an investor of a partner none: nobody can ask for it. What nobody decides
 * lapses.
 */
const OPEN_REQUESTS_PER_ACCOUNT_MAX = 10;
const OPEN_REQUESTS_SHARED = 10_000;
const OPEN_REQUESTS_MAX = 50_000;

/** Opens a request. What shall leave goes from available to held, so that nothing else can spend it. */
export function applyTransferRequest(state: LedgerState, request: TransferRequest): TransferRequestOutcome {
  const { balances, transferRequests } = state;
  const { id, type, account, asset, amount, reference } = request;
  if (balances.isFrozen(account)) return { type: 'account_frozen' };
  const openMax = quotaOf(
    OPEN_REQUESTS_PER_ACCOUNT_MAX,
    state.ruleSet.requestsSure(transferRequests.size),
    OPEN_REQUESTS_SHARED - transferRequests.size,
  );
  if (transferRequests.countOf(account) >= openMax) return { type: 'too_many_requests', openMax };
  if (transferRequests.size >= OPEN_REQUESTS_MAX) return { type: 'ledger_full' };
  if (type === 'withdrawal') {
    const balance = balances.find(account, asset);
    const owned = balance < 0 ? NO_BALANCE : balances.at(balance);
    const available = Math.max(0, owned.available - state.unsettled.sumOf(account, asset, 'shares'));
    if (available < amount) return { type: 'insufficient_balance', required: amount, available };
    balances.hold(balance, amount);
  }
  transferRequests.set({ id, type, account, asset, amount, reference, state: 'requested' });
  return { type: 'done' };
}

/**
 * Decides an open request: it ends once, and what it held goes back or leaves, whole. One of an account that was frozen since then can be rejected and taken back, and nothing else: what it
 * holds stays held.
 */
export function applyTransferDecision(state: LedgerState, decision: TransferDecision): TransferDecisionOutcome {
  const { balances, transferRequests } = state;
  const request = transferRequests.get(decision.request);
  if (request === undefined || request.account !== decision.account) return { type: 'not_open' };
  const to = decided(request.state, decision.decision);
  if (!to.ok) return { type: 'not_allowed', from: to.error.from };
  const isFurther = to.value === 'approved' || to.value === 'executed';
  if (isFurther && state.ruleSet.asksFreezeAgain && balances.isFrozen(request.account))
    return { type: 'account_frozen' };
  const isHeld = request.type === 'withdrawal';
  if (isOpenRequest(to.value)) {
    transferRequests.set({ ...request, state: to.value });
    return { type: 'done', request, state: to.value, moved: null };
  }
  if (isHeld) balances.hold(balances.open(request.account, request.asset), -request.amount);
  if (to.value === 'executed') {
    const moved = applyTransfer(state, transferOf(request, decision));
    if (moved.type !== 'done') {
      if (isHeld) balances.hold(balances.open(request.account, request.asset), request.amount);
      return moved;
    }
    transferRequests.delete(request);
    return { type: 'done', request, state: to.value, moved: { before: moved.before, after: moved.after } };
  }
  transferRequests.delete(request);
  return { type: 'done', request, state: to.value, moved: null };
}

/** The transfer that a request becomes; only assets without lots are asked for. */
function transferOf(request: OpenTransferRequest, { cost, createdAt }: TransferDecision): Transfer {
  const { id, type, account, asset, amount, reference } = request;
  const lots = { tracksLots: false, lots: [] };
  return { kind: 'transfer', id, type, account, asset, amount, cost, ...lots, reference, createdAt, event: null };
}

/** What open requests hold of each balance, by its number. */
export function* heldByRequests({
  balances,
  transferRequests,
}: LedgerState): Generator<[balance: number, amount: number]> {
  for (const { type, account, asset, amount } of transferRequests.values())
    if (type === 'withdrawal') yield [balances.find(account, asset), amount];
}
