import { createHash } from 'node:crypto';
import type { ChainName } from './chains/chain-name.ts';

/** Whole units of a chain's asset, or scaled integers of the ledger, as decimal digits: amounts of chains do not fit into a number. */
export type Units = string;

/**
 * One side of a transfer. An `account` is the ledger's; a `chain` is an external one, or the exchange's own, where assets stand as wrapped tokens. The address of a
 * source is where its funds go back to; of a destination, who is paid. The memo is what such a payment carries (`PayeeMemo`); absent for nothing.
 */
export type Place =
  | { readonly kind: 'account'; readonly account: string }
  | { readonly kind: 'chain'; readonly chain: ChainName; readonly address: string; readonly memo?: string | undefined };

/** What a transfer is to do. It never changes: deposits are made to its commitment, and signers sign nothing else. */
export interface TransferTerms {
  /** UUIDv7. */
  readonly id: string;
  /** Whose keys, vaults and limits. */
  readonly organization: string;
  /** Symbol of the ledger's asset. */
  readonly asset: string;
  readonly source: Place;
  readonly destination: Place;
  /** What has to come, in units of the source. */
  readonly amountIn: Units;
  /** What is paid, in units of the destination. */
  readonly amountOut: Units;
  /** The same as `amountIn`, and the part of it that is the fee, as scaled integers of the ledger: what limits and thresholds count. */
  readonly amount: number;
  readonly fee: number;
  /** Unix ms. Funds that come later are given back. */
  readonly expiresAt: number;
}

/**
 * 32 bytes, in hexadecimal without `0x`, that stand for the terms: SHA-256 over their fields as a JSON array in this order. A deposit names them, so nobody can pay it to
 * somebody else. Another order, or another field, is another version: terms that state a memo have both sides' behind the others, null for none.
 */
export function termsCommitment(terms: TransferTerms): string {
  const { id, organization, asset, source, destination, amountIn, amountOut, amount, fee, expiresAt } = terms;
  const fields = [id, organization, asset, placeText(source), placeText(destination), amountIn, amountOut];
  const memos = [memoIn(source), memoIn(destination)];
  const text = memos.every((memo) => memo === null)
    ? JSON.stringify(['edge.bridge.terms.v1', ...fields, amount, fee, expiresAt])
    : JSON.stringify(['edge.bridge.terms.v2', ...fields, amount, fee, expiresAt, ...memos]);
  return createHash('sha256').update(text).digest('hex');
}

function placeText(place: Place): string {
  return place.kind === 'account' ? `account ${place.account}` : `${place.chain} ${place.address}`;
}

function memoIn(place: Place): string | null {
  return place.kind === 'account' ? null : (place.memo ?? null);
}
