import type { PaymentOrder, UnsignedPayment } from '../chains/chain-adapter.ts';
import type { SigningJob } from './bridge-signer.ts';
import { statementDigest } from './signer-identity.ts';

/** 32 bytes in hexadecimal that stand for one payment: its side, kind, transfer, reference, recipient and amount. */
export function paymentDigest(side: SigningJob['side'], payment: PaymentOrder): string {
  const { kind, commitment, reference, to, amount } = payment;
  return statementDigest(['edge.bridge.payment.v1', side, kind, commitment, reference, to, amount]);
}

/** 32 bytes in hexadecimal that stand for what is to be signed, and by which keys. */
export function messagesDigest({ messages }: UnsignedPayment): string {
  return statementDigest(['edge.bridge.messages.v1', messages.map(({ bytes, tweak }) => [bytes, tweak])]);
}
