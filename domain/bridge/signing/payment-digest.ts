import type { PaymentOrder, UnsignedPayment } from '../chains/chain-adapter.ts';
import type { TransferTerms } from '../transfer-terms.ts';
import type { SigningJob } from './bridge-signer.ts';
import { statementDigest } from './signer-identity.ts';

/** 32 bytes in hexadecimal that stand for one payment: its side, kind, transfer, reference, recipient, amount, and its memo where it carries one. */
export function paymentDigest(side: SigningJob['side'], payment: PaymentOrder): string {
  const { kind, commitment, reference, to, amount, memo } = payment;
  const fields = [side, kind, commitment, reference, to, amount];
  return memo === undefined
    ? statementDigest(['edge.bridge.payment.v1', ...fields])
    : statementDigest(['edge.bridge.payment.v2', ...fields, memo]);
}

/** 32 bytes in hexadecimal that stand for the transaction, whoever it is for: under them the guard shows for which transfer it is. */
export function transactionDigest({ messages }: UnsignedPayment): string {
  return statementDigest(['edge.bridge.transaction.v1', messages.map(({ bytes }) => bytes)]);
}

/** 32 bytes in hexadecimal that stand for the ledger's debit of a transfer: under them the guard shows which terms it pays. */
export function debitDigest({ organization, id }: Pick<TransferTerms, 'organization' | 'id'>): string {
  return statementDigest(['edge.bridge.debit.v1', organization, id]);
}

/** 32 bytes in hexadecimal that stand for what is to be signed, and by which keys. */
export function messagesDigest({ messages }: UnsignedPayment): string {
  return statementDigest(['edge.bridge.messages.v1', messages.map(({ bytes, tweak }) => [bytes, tweak])]);
}
