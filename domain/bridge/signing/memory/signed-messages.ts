import { createHash } from 'node:crypto';
import type { UnsignedPayment } from '../../chains/chain-adapter.ts';
import type { TransferTerms } from '../../transfer-terms.ts';
import { debitDigest } from '../payment-digest.ts';
import type { RecordChange, SignerMemory } from './signer-memory.ts';

/**
 * Whether a payment is the very one of another transfer: on chains whose transactions do not say whose payment they are, one would settle both. A reference that is given to two transfers is signed
 * for the first alone.
 *
 * @param commitment of the transfer that it is to be signed for
 */
export function isOfAnother(memory: SignerMemory, commitment: string, { messages }: UnsignedPayment): boolean {
  return messages.some(({ bytes }) => (memory.read('message', idOf(bytes)) ?? commitment) !== commitment);
}

export function messageChanges(commitment: string, { messages }: UnsignedPayment): readonly RecordChange[] {
  return messages.map(({ bytes }) => ({ kind: 'message', id: idOf(bytes), text: commitment }));
}

/**
 * Whether the ledger's debit of a transfer has paid other terms: it stands under the transfer's id alone, so terms of one id and another payee have the same funds. Funds on a chain name their commitment.
 *
 * @param commitment of the terms that are to be paid by it
 */
export function isDebitOfAnother(memory: SignerMemory, commitment: string, terms: TransferTerms): boolean {
  return terms.source.kind === 'account' && (memory.read('message', debitDigest(terms)) ?? commitment) !== commitment;
}

export function debitChanges(commitment: string, terms: TransferTerms): readonly RecordChange[] {
  return terms.source.kind === 'account' ? [{ kind: 'message', id: debitDigest(terms), text: commitment }] : [];
}

function idOf(bytes: string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
