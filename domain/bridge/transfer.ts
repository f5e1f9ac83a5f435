import type { TransferTerms, Units } from './transfer-terms.ts';

/** Signers of a cluster, and how many of them a payment needs. */
export const CLUSTER_SIZE = 5;
export const CLUSTER_THRESHOLD = 3;
/** Changes of state that a transfer shows; of more, the first and the last halves. */
export const HISTORY_MAX = 100;

/**
 * Where a transfer stands (docs/design/bridge.md#transfers).
 *
 * - `awaiting_funds`: it has its quote; nothing has come yet.
 * - `confirming`: its funds are seen on the source chain, and not deep enough.
 * - `attesting`: they are deep enough; signers look for themselves.
 * - `limit_check`: three signers have seen them; the daily limit is asked.
 * - `queued`: the limit has no room for it today.
 * - `challenge`: watchtowers may veto it.
 * - `co_signing`: the hardware module has to agree.
 * - `signing`, `broadcast`: it is being paid, with one reference.
 * - `refundable`: it will not be paid, and its funds wait to go back.
 * - `refund_signing`, `refund_broadcast`: they are going back, with one reference.
 * - `confirmed`, `refunded`, `expired`: its ends.
 * - `paid_by_other`: an end as `expired`, and what somebody else than its payer has paid in lies there. It goes back to them once an operator orders that.
 */
export const TRANSFER_STATES = [
  'awaiting_funds',
  'confirming',
  'attesting',
  'limit_check',
  'queued',
  'challenge',
  'co_signing',
  'signing',
  'broadcast',
  'confirmed',
  'refundable',
  'refund_signing',
  'refund_broadcast',
  'refunded',
  'expired',
  'paid_by_other',
] as const;

export type TransferState = (typeof TRANSFER_STATES)[number];

/**
 * Why a transfer is given back. `timed_out`: signers, the hardware module or the vault's funds were away for too long, or the chain did not take its payment. `unsignable`: signers refuse its payment for good. `unpayable`: the
 * ledger does not take its payment, or it was cancelled on the destination, which is proved. `other_payer`: its funds are of somebody else, and an operator has them returned.
 */
export const REFUND_REASONS = [
  'rejected',
  'vetoed',
  'wrong_amount',
  'late',
  'queue_ended',
  'timed_out',
  'unsignable',
  'unpayable',
  'other_payer',
] as const;

export type RefundReason = (typeof REFUND_REASONS)[number];

/** What has come in on the source; of an account, the debit of the ledger. */
interface Funds {
  /** Transaction and output, or the ledger's transaction. */
  readonly reference: string;
  readonly amount: Units;
  /** When they came, or were first seen, Unix ms: whether that was in time. */
  readonly cameAt: number;
  /** Whether a reorganization has taken them away since. */
  readonly isLost: boolean;
}

/**
 * What goes out, once. Its reference is whatever lets at most one transaction through on the destination: the nonce of an account, an output that is spent, or the
 * id of a ledger's transaction. It is fixed and stored before anybody signs, and every try uses it.
 */
export interface Payment {
  readonly kind: 'payout' | 'refund';
  readonly reference: string;
  /** The transaction that was handed in last; null before. */
  readonly transaction: string | null;
  /** Nobody signs it, so its reference is to be freed: it is cancelled, and another takes its place. */
  readonly isAbandoned: boolean;
}

interface TransferChange {
  /** Unix ms. */
  readonly at: number;
  readonly from: TransferState;
  readonly to: TransferState;
  /** The event. */
  readonly cause: TransferEvent['type'];
}

/** One transfer of one tenant. Times are Unix ms. */
export interface Transfer extends Pick<TransferTerms, 'id' | 'amountIn' | 'amountOut' | 'amount' | 'expiresAt'> {
  readonly state: TransferState;
  readonly funds: Funds | null;
  /** Numbers of the signers that have seen the funds themselves, and of those that refuse, ascending. */
  readonly attestedBy: readonly number[];
  readonly refusedBy: readonly number[];
  /** When the state ends by itself: attesting, the queue, the challenge, or the wait for the hardware module, for signatures, or for the chain. */
  readonly until: number | null;
  /** Of a payout that has its reference already: it is to be cancelled, and its funds go back. */
  readonly refundReason: RefundReason | null;
  readonly payment: Payment | null;
  /** References of payments that were cancelled, and of the return before what its payer paid late: none of them is used again. */
  readonly cancelled: readonly string[];
  /** Funds of somebody else were returned before what its payer paid: nothing is paid out any more. */
  readonly hasReturned?: true;
  /** It was paid, or given back, and its funds were lost afterwards: somebody has to stand in for it. */
  readonly isUncovered: boolean;
  readonly history: readonly TransferChange[];
}

/** What happens to a transfer. Each may come twice, late or out of turn. */
export type TransferEvent = {
  readonly at: number;
} /** `cameAt`: Unix ms, as the chain or the ledger says it, or when they were seen. */ & (
  | {
      readonly type: 'funds_seen';
      readonly reference: string;
      readonly amount: Units;
      readonly cameAt: number;
      /** They are somebody else's, and an operator has them returned: nothing is paid out for them. */
      readonly isReturn?: true;
    }
  /** After its end, the source shows funds of somebody else alone, or none any more. */
  | { readonly type: 'others_seen'; readonly areThere: boolean }
  | { readonly type: 'funds_confirmed'; readonly reference: string; readonly confirmations: number }
  /** A reorganization has taken the block of the funds away. */
  | { readonly type: 'funds_lost'; readonly reference: string }
  | { readonly type: 'attested'; readonly signer: number; readonly reference: string }
  | { readonly type: 'refused'; readonly signer: number }
  | { readonly type: 'limit_checked'; readonly fits: boolean }
  | { readonly type: 'vetoed' }
  /** Three signers refuse the payment for good, or the ledger does not take the payout. */
  | { readonly type: 'given_up'; readonly reason: 'unsignable' | 'unpayable' }
  | { readonly type: 'co_signed' }
  /** The ledger does not take its funds from the account, for good. */
  | { readonly type: 'debit_refused' }
  /** Time has passed: what ends by itself does. */
  | { readonly type: 'clock' }
  | { readonly type: 'payment_fixed'; readonly reference: string }
  | { readonly type: 'payment_sent'; readonly reference: string; readonly transaction: string }
  | { readonly type: 'payment_confirmed'; readonly reference: string }
  /** The reference was spent by something that pays nobody, deep enough on the destination. */
  | { readonly type: 'payment_cancelled'; readonly reference: string }
);

/** What a tenant and a chain ask of transfers. Amounts are scaled integers of the ledger. */
export interface TransferRules {
  /** Confirmations after which funds count. */
  readonly confirmations: number;
  /** Transfers of so much and more may be challenged, for so long. Null: none. */
  readonly challengeFrom: number | null;
  readonly challenge_ms: number;
  /** Transfers of so much and more need the hardware module. Null: none. */
  readonly coSignFrom: number | null;
  /** How long a transfer waits for room in the daily limit. */
  readonly queue_ms: number;
  /** How long it waits for signers to attest, for the hardware module, and for the payout to be signed. */
  readonly answer_ms: number;
  /**
   * How long a refund waits to be signed until another reference takes its place. Null: it has no other, and holds up nobody, as one of the ledger, or one that is paid out of the
   * very deposit.
   */
  readonly refund_ms: number | null;
  /** How long a payment that was handed in waits to be deep enough before it is cancelled. */
  readonly landing_ms: number;
}

const UNITS = /^(?:0|[1-9]\d{0,77})$/;

/** @throws RangeError where amounts are no whole numbers, or nothing would be left to pay */
export function newTransfer(terms: TransferTerms): Transfer {
  const { id, amountIn, amountOut, amount, fee, expiresAt } = terms;
  const isWhole = UNITS.test(amountIn) && UNITS.test(amountOut) && Number.isSafeInteger(amount);
  if (!(isWhole && Number.isSafeInteger(fee) && fee >= 0)) throw new RangeError('an amount is no whole number');
  if (amount <= fee || BigInt(amountIn) === 0n || BigInt(amountOut) === 0n)
    throw new RangeError('nothing would be left to pay');
  return {
    id,
    amountIn,
    amountOut,
    amount,
    expiresAt,
    state: 'awaiting_funds',
    funds: null,
    attestedBy: [],
    refusedBy: [],
    until: null,
    refundReason: null,
    payment: null,
    cancelled: [],
    isUncovered: false,
    history: [],
  };
}

/** Whether nothing of it changes any more but that its funds may be lost, or come late. */
export function isEnded({ state }: Pick<Transfer, 'state'>): boolean {
  return state === 'confirmed' || state === 'refunded' || isUnpaid({ state });
}

/** Whether it has ended without funds of its payer: they may still come, to be given back. */
export function isUnpaid({ state }: Pick<Transfer, 'state'>): boolean {
  return state === 'expired' || state === 'paid_by_other';
}

/** Whether what somebody else has paid in was returned: what its payer pays in after that is still theirs. */
export function isReturned({ state, refundReason }: Pick<Transfer, 'state' | 'refundReason'>): boolean {
  return state === 'refunded' && refundReason === 'other_payer';
}

/** What its payment pays, in units of the side that it goes out on: what was quoted, or all that has come. */
export function paidAmount({ amountOut, funds, payment }: Transfer): Units {
  if (payment === null) return '0';
  return payment.kind === 'payout' ? amountOut : (funds?.amount ?? '0');
}

/** Whether a payment that has its reference must be cancelled: its funds are gone, nobody signs it, or it is a payout that is not to be after all. */
export function mustCancel({ state, payment, funds, refundReason }: Transfer): boolean {
  if (payment === null || isEnded({ state })) return false;
  return (funds?.isLost ?? true) || payment.isAbandoned || (payment.kind === 'payout' && refundReason !== null);
}
