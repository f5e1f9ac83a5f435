import type { RecordChange, SignerMemory } from './signer-memory.ts';

/** Whether the signer has seen the payout of a transfer, deep enough: what chains tell of it ends with their history. */
export function isNotedPaidOut(memory: SignerMemory, commitment: string): boolean {
  return memory.read('paid', commitment) !== null;
}

export function paidOutChange(commitment: string): RecordChange {
  return { kind: 'paid', id: commitment, text: 'out' };
}
