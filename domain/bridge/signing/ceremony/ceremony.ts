import type { SigningScheme } from '../../chains/chain-adapter.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../transfer.ts';
import type { PublicCluster } from '../key-share.ts';
import { statementDigest } from '../signer-identity.ts';

/** Who deals in a ceremony: number and identity of a signer of the cluster that is, or of the one to be. */
export interface Dealer {
  readonly signer: number;
  readonly key: string;
}

/**
 * What a key ceremony is to do. Nobody deals alone: each dealer has a polynomial, and a share is the sum of what they all give.
 *
 * - `make`: a new key, of which the five are the dealers.
 * - `reshare`: the same key on another polynomial, dealt by three or more of those who have it, to the same five or to others.
 */
export interface CeremonyTerms {
  readonly id: string;
  readonly organization: string;
  readonly scheme: SigningScheme;
  readonly kind: 'make' | 'reshare';
  /** Of the cluster to be. */
  readonly generation: number;
  /** Identities of its five signers, by number. */
  readonly roster: readonly string[];
  readonly dealers: readonly Dealer[];
  /** The cluster whose key it is; null for `make`. */
  readonly from: PublicCluster | null;
}

/** First round, for everybody: what a dealer's polynomial is checked against, and that it knows it. */
export interface DealPackage {
  readonly dealer: number;
  /** Three points; of `multisig-secp256k1` the dealer's own key alone. */
  readonly commitments: readonly string[];
  /** A signature over the ceremony by the secret of the first of them. */
  readonly proof: string;
  /** By the dealer's identity. */
  readonly signature: string;
}

/** Second round: a share for each of the five, encrypted. Of `multisig-secp256k1` there is none. */
export interface SealedShares {
  readonly dealer: number;
  /** All packages of the first round, as the dealer has seen them. */
  readonly transcript: string;
  readonly envelopes: readonly string[];
  readonly signature: string;
}

/** A signer has its share, on disk. */
export interface Confirmation {
  readonly signer: number;
  readonly transcript: string;
  readonly cluster: PublicCluster;
  readonly signature: string;
}

/** `fault`: `culprit` has sent something wrong, or whoever says so lies. */
export type CeremonyAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string; readonly culprit: number | null };

/** A signer's part in ceremonies. Each call may come again, after a restart too, and is answered the same. */
export interface CeremonySigner {
  /** Its identity, compressed secp256k1. */
  identity(): Promise<string>;
  deal(terms: CeremonyTerms): Promise<CeremonyAnswer<DealPackage>>;
  seal(terms: CeremonyTerms, deals: readonly DealPackage[]): Promise<CeremonyAnswer<SealedShares>>;
  take(
    terms: CeremonyTerms,
    deals: readonly DealPackage[],
    sealed: readonly SealedShares[],
  ): Promise<CeremonyAnswer<Confirmation>>;
  /** Ceremonies that it has confirmed and not in use yet: whoever runs them was cut short, and goes on with them before another of the same key. */
  unfinished(): Promise<readonly CeremonyTerms[]>;
  /** The word of all five by which it has taken a ceremony into use: whoever runs it may have been cut short, and one of the five be lost since. */
  confirmations(terms: CeremonyTerms): Promise<CeremonyAnswer<readonly Confirmation[]>>;
  /** With the word of all five: the share is in use, and that of the generation before is destroyed. */
  activate(terms: CeremonyTerms, confirmations: readonly Confirmation[]): Promise<CeremonyAnswer<PublicCluster>>;
}

/**
 * So far beyond what a signer has, or what three say, a generation may be: numbers that one of the five or whoever runs ceremonies makes up must not use up those that there are. Ceremonies that are cut short
 * leave far smaller gaps.
 */
export const GENERATIONS_AHEAD_MAX = 10_000;

/** A ceremony that no signer takes part in; null where it is one. */
export function ceremonyFault(terms: CeremonyTerms): string | null {
  const { scheme, kind, generation, roster, dealers, from } = terms;
  if (roster.length !== CLUSTER_SIZE || new Set(roster).size !== CLUSTER_SIZE) return 'no five signers';
  if (!Number.isSafeInteger(generation) || generation < 1) return 'no generation';
  const numbers = dealers.map(({ signer }) => signer);
  if (numbers.some((signer, index) => signer <= (numbers[index - 1] ?? -1) || signer >= CLUSTER_SIZE))
    return 'dealers are not in order';
  if (kind === 'make') {
    if (from !== null) return 'a new key comes from none';
    return dealers.length === CLUSTER_SIZE && dealers.every(({ signer, key }) => roster[signer] === key)
      ? null
      : 'a new key is dealt by all five';
  }
  if (scheme === 'multisig-secp256k1') return 'keys of a multisignature are not shared';
  if (from === null || from.scheme !== scheme || from.generation >= generation) return 'no earlier generation';
  return dealers.length >= CLUSTER_THRESHOLD ? null : 'fewer dealers than the key needs';
}

/** What everything that is said in a ceremony names. */
export function ceremonyHash(terms: CeremonyTerms): string {
  const { id, organization, scheme, kind, generation, roster, dealers, from } = terms;
  const who = [roster, dealers.map(({ signer, key }) => [signer, key])];
  const before = from === null ? null : clusterFields(from);
  return statementDigest(['edge.bridge.ceremony.v1', id, organization, scheme, kind, generation, ...who, before]);
}

/** All of the first round. Who has seen another one notices. */
export function transcriptOf(ceremony: string, deals: readonly DealPackage[]): string {
  const inOrder = deals.toSorted((a, b) => a.dealer - b.dealer);
  return statementDigest([
    'edge.bridge.transcript.v1',
    ceremony,
    inOrder.map(({ dealer, commitments, proof }) => [dealer, commitments, proof]),
  ]);
}

export function dealStatement(ceremony: string, deal: Omit<DealPackage, 'signature'>): readonly unknown[] {
  return ['edge.bridge.deal.v1', ceremony, deal.dealer, deal.commitments, deal.proof];
}

export function sealedStatement(ceremony: string, sealed: Omit<SealedShares, 'signature'>): readonly unknown[] {
  return ['edge.bridge.shares.v1', ceremony, sealed.transcript, sealed.dealer, sealed.envelopes];
}

export function confirmedStatement(ceremony: string, said: Omit<Confirmation, 'signature'>): readonly unknown[] {
  return ['edge.bridge.confirmed.v1', ceremony, said.transcript, said.signer, clusterFields(said.cluster)];
}

export function clusterFields({ scheme, generation, commitments, verifyingShares }: PublicCluster): readonly unknown[] {
  return [scheme, generation, commitments, verifyingShares];
}
