import { err, ok, type Result } from '../result.ts';
import {
  CLUSTER_SIZE,
  CLUSTER_THRESHOLD,
  HISTORY_MAX,
  isEnded,
  isReturned,
  isUnpaid,
  type RefundReason,
  type Transfer,
  type TransferEvent,
  type TransferRules,
  type TransferState,
} from './transfer.ts';

/** Why an event changes nothing of a transfer, where it is not one that has happened already. */
export type StepRefusal = 'not_now' | 'other_reference' | 'used_reference' | 'no_such_signer';

type Step = Result<Partial<Transfer>, StepRefusal>;
type EventOf<Type extends TransferEvent['type']> = Extract<TransferEvent, { type: Type }>;

const MAY_BE_VETOED: readonly TransferState[] = ['limit_check', 'queued', 'challenge', 'co_signing'];
const NOTHING: Step = ok({});

/**
 * What a transfer is after an event. One that has happened already changes nothing; one that cannot be is refused and changes nothing.
 *
 * Whoever applies it stores the result before anything that follows from it leaves: a reference before signers see it, a transaction before it is handed in.
 */
export function stepTransfer(
  transfer: Transfer,
  event: TransferEvent,
  rules: TransferRules,
): Result<Transfer, StepRefusal> {
  const step = stepOf(transfer, event, rules);
  if (!step.ok) return step;
  if (Object.keys(step.value).length === 0) return ok(transfer);
  const next = { ...transfer, ...step.value };
  if (next.state === transfer.state) return ok(next);
  const change = { at: event.at, from: transfer.state, to: next.state, cause: event.type };
  const until = 'until' in step.value ? next.until : null;
  return ok({ ...next, until, history: bounded([...transfer.history, change]) });
}

function stepOf(transfer: Transfer, event: TransferEvent, rules: TransferRules): Step {
  switch (event.type) {
    case 'funds_seen':
      return fundsSeen(transfer, event);
    case 'others_seen':
      return othersSeen(transfer, event);
    case 'funds_confirmed':
      return fundsConfirmed(transfer, event, rules);
    case 'funds_lost':
      return fundsLost(transfer, event);
    case 'attested':
      return attested(transfer, event);
    case 'refused':
      return refused(transfer, event);
    case 'limit_checked':
      return limitChecked(transfer, event, rules);
    case 'vetoed':
      if (transfer.refundReason === 'vetoed') return NOTHING;
      return MAY_BE_VETOED.includes(transfer.state) ? refundable('vetoed') : stopPayout(transfer, 'vetoed');
    case 'given_up':
      return isRefunding(transfer) ? abandonRefund(transfer, rules) : stopPayout(transfer, event.reason);
    case 'co_signed':
      return transfer.state === 'co_signing' ? ok(signing(event.at, rules)) : err('not_now');
    case 'debit_refused':
      return transfer.state === 'awaiting_funds' ? ok({ state: 'expired' }) : err('not_now');
    case 'clock':
      return clock(transfer, event, rules);
    case 'payment_fixed':
      return paymentFixed(transfer, event, rules);
    case 'payment_sent':
      return paymentSent(transfer, event, rules);
    case 'payment_confirmed':
      return paymentConfirmed(transfer, event);
    case 'payment_cancelled':
      return paymentCancelled(transfer, event);
  }
}

/**
 * The first funds count; further ones are none of this transfer. After a reorganization they may come under another reference, as long as nothing goes out for
 * them. What was in time stays so, whenever it is seen again.
 */
function fundsSeen(transfer: Transfer, event: EventOf<'funds_seen'>): Step {
  const { state, funds, amountIn: quoted, expiresAt, hasReturned } = transfer;
  const { reference, amount, cameAt, isReturn } = event;
  if (isReturned(transfer) && isReturn !== true && funds?.reference !== reference) return paidLate(transfer, event);
  if (funds !== null && !funds.isLost) return funds.reference === reference ? NOTHING : err('other_reference');
  const isOpen = state === 'awaiting_funds' || isUnpaid({ state });
  if (funds !== null && !isOpen) {
    const isBack = funds.reference === reference && funds.amount === amount;
    return isBack
      ? ok({ funds: { ...funds, isLost: false }, isUncovered: isReturnUncovered(transfer) })
      : err('other_reference');
  }
  if (!isOpen || (isReturn === true && !isUnpaid({ state }))) return err('not_now');
  if (!/^[1-9]\d*$/.test(amount)) return err('not_now');
  const first = funds?.reference === reference ? Math.min(funds.cameAt, cameAt) : cameAt;
  const seen = { funds: { reference, amount, cameAt: first, isLost: false } };
  if (isReturn === true) return ok({ ...seen, state: 'confirming', refundReason: 'other_payer' });
  if (first > expiresAt || hasReturned === true) return ok({ ...seen, state: 'confirming', refundReason: 'late' });
  if (amount !== quoted) return ok({ ...seen, state: 'confirming', refundReason: 'wrong_amount' });
  return ok({ ...seen, state: 'confirming', refundReason: null });
}

/** What the payer pays once funds of somebody else were returned goes back as well: by a reference of its own, and never out. */
function paidLate(
  { payment, cancelled }: Transfer,
  { reference, amount, cameAt }: Pick<EventOf<'funds_seen'>, 'reference' | 'amount' | 'cameAt'>,
): Step {
  if (payment === null || !/^[1-9]\d*$/.test(amount)) return err('not_now');
  const funds = { reference, amount, cameAt, isLost: false };
  const used = { payment: null, cancelled: [...cancelled, payment.reference], hasReturned: true } as const;
  return ok({ ...used, state: 'confirming', funds, refundReason: 'late' });
}

function othersSeen({ state }: Transfer, { areThere }: EventOf<'others_seen'>): Step {
  if (!isUnpaid({ state })) return err('not_now');
  const next = areThere ? 'paid_by_other' : 'expired';
  return state === next ? NOTHING : ok({ state: next });
}

/** Funds that are to go back have to be as deep as those that are paid. */
function fundsConfirmed(
  { state, funds, refundReason }: Transfer,
  { reference, confirmations, at }: EventOf<'funds_confirmed'>,
  rules: TransferRules,
): Step {
  if (funds?.reference !== reference) return err('other_reference');
  if (state !== 'confirming' || confirmations < rules.confirmations) return NOTHING;
  return refundReason === null ? ok({ state: 'attesting', until: at + rules.answer_ms }) : refundable(refundReason);
}

/** Where no payment has its reference, none goes out. One that has may have gone out: it is cancelled, or stands without its funds. */
function fundsLost(transfer: Transfer, { reference }: EventOf<'funds_lost'>): Step {
  const { state, funds, payment } = transfer;
  if (funds?.reference !== reference) return err('other_reference');
  if (funds.isLost) return NOTHING;
  const lost = { funds: { ...funds, isLost: true } };
  if (payment === null)
    return ok({ ...lost, state: 'awaiting_funds', attestedBy: [], refusedBy: [], refundReason: null });
  return ok({ ...lost, isUncovered: state === 'confirmed' || state === 'refunded' || isReturnUncovered(transfer) });
}

function attested({ state, funds, attestedBy, refusedBy }: Transfer, { signer, reference }: EventOf<'attested'>): Step {
  if (!isSigner(signer)) return err('no_such_signer');
  if (funds?.reference !== reference || funds.isLost) return err('other_reference');
  if (attestedBy.includes(signer)) return NOTHING;
  if (state !== 'attesting' || refusedBy.includes(signer)) return err('not_now');
  const by = [...attestedBy, signer].sort();
  return ok(by.length < CLUSTER_THRESHOLD ? { attestedBy: by } : { attestedBy: by, state: 'limit_check' });
}

/** Once three of five refuse, three can never attest. */
function refused({ state, attestedBy, refusedBy }: Transfer, { signer }: EventOf<'refused'>): Step {
  if (!isSigner(signer)) return err('no_such_signer');
  if (refusedBy.includes(signer)) return NOTHING;
  if (state !== 'attesting' || attestedBy.includes(signer)) return err('not_now');
  const by = [...refusedBy, signer].sort();
  if (by.length <= CLUSTER_SIZE - CLUSTER_THRESHOLD) return ok({ refusedBy: by });
  return ok({ refusedBy: by, state: 'refundable', refundReason: 'rejected' });
}

function limitChecked({ state, amount }: Transfer, { fits, at }: EventOf<'limit_checked'>, rules: TransferRules): Step {
  if (state !== 'limit_check' && state !== 'queued') return err('not_now');
  if (!fits) return state === 'queued' ? NOTHING : ok({ state: 'queued', until: at + rules.queue_ms });
  if (rules.challengeFrom !== null && amount >= rules.challengeFrom)
    return ok({ state: 'challenge', until: at + rules.challenge_ms });
  return ok(afterChallenge(amount, at, rules));
}

function clock(transfer: Transfer, { at }: EventOf<'clock'>, rules: TransferRules): Step {
  const { state, expiresAt, until, amount } = transfer;
  if (state === 'awaiting_funds') return at > expiresAt ? ok({ state: 'expired' }) : NOTHING;
  if (until === null || at < until) return NOTHING;
  if (state === 'queued') return refundable('queue_ended');
  if (state === 'attesting' || state === 'co_signing') return refundable('timed_out');
  if (state === 'signing' || state === 'broadcast') return stopPayout(transfer, 'timed_out');
  if (isRefunding(transfer)) return abandonRefund(transfer, rules);
  return state === 'challenge' ? ok(afterChallenge(amount, at, rules)) : NOTHING;
}

/**
 * One reference at a time, and none that was cancelled: a payout that has no other, as one of the ledger has not, goes back. Funds that are lost before it have taken the transfer out
 * of these states.
 */
function paymentFixed(
  { state, payment, cancelled }: Transfer,
  { reference, at }: EventOf<'payment_fixed'>,
  { refund_ms }: TransferRules,
): Step {
  if (payment !== null) return payment.reference === reference ? NOTHING : err('other_reference');
  if (cancelled.includes(reference)) return state === 'signing' ? refundable('unpayable') : err('used_reference');
  const fixed = { reference, transaction: null, isAbandoned: false };
  if (state === 'signing') return ok({ payment: { ...fixed, kind: 'payout' } });
  if (state !== 'refundable') return err('not_now');
  const until = refund_ms === null ? null : at + refund_ms;
  return ok({ state: 'refund_signing', until, payment: { ...fixed, kind: 'refund' } });
}

function paymentSent(
  { state, payment }: Transfer,
  { reference, transaction, at }: EventOf<'payment_sent'>,
  { refund_ms, landing_ms }: TransferRules,
): Step {
  if (payment?.reference !== reference) return err('other_reference');
  if (payment.transaction === transaction) return NOTHING;
  const sent = { payment: { ...payment, transaction } };
  const until = at + landing_ms;
  if (state === 'signing') return ok({ ...sent, state: 'broadcast', until });
  if (state === 'refund_signing')
    return ok({ ...sent, state: 'refund_broadcast', until: refund_ms === null ? null : until });
  return state === 'broadcast' || state === 'refund_broadcast' ? ok(sent) : err('not_now');
}

/** It may have been handed in by others: a signature is no secret. */
function paymentConfirmed(transfer: Transfer, { reference }: EventOf<'payment_confirmed'>): Step {
  const { state, payment, funds } = transfer;
  if (payment?.reference !== reference) return err('other_reference');
  const isUncovered = (funds?.isLost ?? true) || isReturnUncovered(transfer);
  if (state === 'signing' || state === 'broadcast') return ok({ state: 'confirmed', isUncovered });
  if (state === 'refund_signing' || state === 'refund_broadcast') return ok({ state: 'refunded', isUncovered });
  return NOTHING;
}

/** What was cancelled is given back; without funds there is nothing to give back. */
function paymentCancelled(transfer: Transfer, { reference }: EventOf<'payment_cancelled'>): Step {
  const { payment, cancelled, funds, refundReason } = transfer;
  if (cancelled.includes(reference)) return NOTHING;
  if (payment?.reference !== reference) return err('other_reference');
  if (isEnded(transfer)) return err('not_now');
  const without = { payment: null, cancelled: [...cancelled, reference] };
  if (funds === null || funds.isLost)
    return ok({ ...without, state: 'awaiting_funds', attestedBy: [], refusedBy: [], refundReason: null });
  return ok({ ...without, state: 'refundable', refundReason: refundReason ?? 'unpayable' });
}

function afterChallenge(amount: number, at: number, rules: TransferRules): Partial<Transfer> {
  const { coSignFrom, answer_ms } = rules;
  if (coSignFrom !== null && amount >= coSignFrom) return { state: 'co_signing', until: at + answer_ms };
  return signing(at, rules);
}

function signing(at: number, { answer_ms }: TransferRules): Partial<Transfer> {
  return { state: 'signing', until: at + answer_ms };
}

/** A payout without a reference is given back at once; one that has it has to be cancelled first. The first reason stands. */
function stopPayout(transfer: Transfer, refundReason: RefundReason): Step {
  if (transfer.state !== 'signing' && transfer.state !== 'broadcast') return err('not_now');
  if (transfer.refundReason !== null) return NOTHING;
  return transfer.payment === null ? refundable(refundReason) : ok({ refundReason });
}

/** A refund has to be paid all the same: by another reference, where there is one, once this one is cancelled. */
function abandonRefund({ payment }: Transfer, { refund_ms }: TransferRules): Step {
  if (payment === null || refund_ms === null) return err('not_now');
  return payment.isAbandoned ? NOTHING : ok({ payment: { ...payment, isAbandoned: true } });
}

function isRefunding({ state }: Transfer): boolean {
  return state === 'refund_signing' || state === 'refund_broadcast';
}

/** What was returned without its funds stays so, whatever its payer pays after that. */
function isReturnUncovered({ hasReturned, isUncovered }: Transfer): boolean {
  return hasReturned === true && isUncovered;
}

function refundable(refundReason: RefundReason): Step {
  return ok({ state: 'refundable', refundReason });
}

function isSigner(signer: number): boolean {
  return Number.isInteger(signer) && signer >= 0 && signer < CLUSTER_SIZE;
}

function bounded<Change>(history: readonly Change[]): readonly Change[] {
  if (history.length <= HISTORY_MAX) return history;
  const half = HISTORY_MAX / 2;
  return [...history.slice(0, half), ...history.slice(-half)];
}
