import type { PaymentOrder, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { spendsOutputs } from '../../domain/bridge/chains/outpoints.ts';
import { creditedFee } from '../../domain/bridge/credited-fee.ts';
import { feeMovement, type LedgerMovementParameters, ledgerMovement } from '../../domain/bridge/ledger-movement.ts';
import type { PaidOutTransfer } from '../../domain/bridge/signing/bridge-signer.ts';
import { paidAmount } from '../../domain/bridge/transfer.ts';
import type { Place } from '../../domain/bridge/transfer-terms.ts';
import type { BridgeMovement } from '../../domain/ledger/transactions.ts';
import type { TransferRecord } from './transfer-store.ts';

/** Where a payment goes out, and whom it pays; no vault where the ledger pays. */
export function sideOf(
  { terms, settings }: TransferRecord,
  kind: 'payout' | 'refund',
): { readonly place: Place; readonly vault: Vault | null } {
  return kind === 'payout'
    ? { place: terms.destination, vault: settings.destination }
    : { place: terms.source, vault: settings.source };
}

/** The payment of a record, as a chain carries it out. */
export function orderOf(record: TransferRecord, kind: 'payout' | 'refund'): PaymentOrder {
  const { commitment, transfer } = record;
  const reference = transfer.payment?.reference ?? '';
  return { kind, commitment, reference, ...paidBy(record, kind), amount: paidAmount(transfer) };
}

/** A record's transfer that was paid out, and by which payment, as signers are told of it. */
export function paidOutOf(record: TransferRecord): PaidOutTransfer {
  const { terms, settings } = record;
  return { terms, payment: settings.destination === null ? null : orderOf(record, 'payout') };
}

/** Whom a payment of a record pays: who is stated there, or whose funds are returned. @throws Error for an account */
export function paidBy(record: TransferRecord, kind: 'payout' | 'refund'): Pick<PaymentOrder, 'to' | 'memo'> {
  const { returnTo } = record;
  return kind === 'refund' && returnTo !== undefined ? { to: returnTo } : payeeOf(sideOf(record, kind).place);
}

/** Whom a record's funds go back to where that waits for an operator's order (`refundRest`); null where it does not. */
export function refundRestsFor(record: TransferRecord): string | null {
  const { doesRefundRest, transfer } = record;
  const rests = doesRefundRest === true && transfer.state === 'refundable' && transfer.payment === null;
  return rests ? paidBy(record, 'refund').to : null;
}

/** The deposit of a record where strangers may hide it from who has not seen it: signers are told of it. Undefined elsewhere. */
export function hiddenDeposit({ settings: { source }, transfer }: TransferRecord): string | undefined {
  return source !== null && spendsOutputs(source) ? transfer.funds?.reference : undefined;
}

/** What the ledger does for a record. */
export function movementOf(
  { terms, settings, createdAt, doesDebitNameTerms, doPaymentsNameTerms }: TransferRecord,
  { type, purpose, amount }: Pick<LedgerMovementParameters, 'type' | 'purpose' | 'amount'>,
): BridgeMovement {
  const namesTerms = purpose === 'debit' ? doesDebitNameTerms : doPaymentsNameTerms;
  return ledgerMovement(terms, { type, purpose, amount, asset: settings.assetId, createdAt, namesTerms });
}

/** The credit of what a record's transfer earns; null where that stays in the vault. */
export function feeCreditOf({
  terms,
  settings,
  createdAt,
}: Pick<TransferRecord, 'terms' | 'settings' | 'createdAt'>): BridgeMovement | null {
  const fee = creditedFee(settings);
  return fee && feeMovement(terms, { ...fee, amount: String(fee.amount), asset: settings.assetId, createdAt });
}

/** @throws Error for an account */
export function addressOf(place: Place): string {
  if (place.kind === 'account') throw new Error('an account has no address');
  return place.address;
}

/** Whom a payment to a place pays, and what it carries for them. @throws Error for an account */
function payeeOf(place: Place): Pick<PaymentOrder, 'to' | 'memo'> {
  const to = addressOf(place);
  return place.kind === 'account' || place.memo === undefined ? { to } : { to, memo: place.memo };
}
