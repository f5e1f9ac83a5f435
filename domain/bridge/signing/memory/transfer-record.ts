import type { PaymentOrder } from '../../chains/chain-adapter.ts';
import type { SigningJob } from '../bridge-signer.ts';
import type { RecordChange, SignerMemory } from './signer-memory.ts';

/** Of one transfer: more funds, or more payments, are looked at by people. */
export const SEEN_MAX = 20;
export const SIGNED_MAX = 20;

/** What a signer has signed. */
export interface SignedOrder {
  readonly side: SigningJob['side'];
  readonly payment: PaymentOrder;
  /** The vault that it was signed for (`vaultDigest`). Absent of what was signed before this was kept. */
  readonly vault?: string;
}

/** What a signer knows of a transfer. It is never taken away: by it nothing is paid twice. */
export interface TransferRecord {
  /** Funds by reference, and when they were first seen here, Unix ms. */
  readonly seen: readonly { readonly reference: string; readonly at: number }[];
  readonly signed: readonly SignedOrder[];
}

export function readTransfer(memory: SignerMemory, commitment: string): TransferRecord {
  const text = memory.read('transfer', commitment);
  return text === null ? { seen: [], signed: [] } : (JSON.parse(text) as TransferRecord);
}

/** References of funds that it has seen. */
export function referencesOf(seen: TransferRecord['seen']): readonly string[] {
  return seen.map(({ reference }) => reference);
}

export function transferChange(commitment: string, record: TransferRecord): RecordChange {
  return { kind: 'transfer', id: commitment, text: JSON.stringify(record) };
}
