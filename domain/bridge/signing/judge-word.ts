import type { Units } from '../transfer-terms.ts';
import { accountOf } from './account-of.ts';
import { type AttestedClaim, attestationDigest } from './attestation.ts';
import type { Attestation } from './bridge-signer.ts';
import { ecdsaRecover } from './ecdsa.ts';

/** A seat at SignerStake. */
export interface StakeSeat {
  /** Who has it; null for nobody. */
  readonly account: string | null;
  /** What the account stands in for, in the chain's smallest unit. */
  readonly stake: Units;
}

/** A signer's word as the contract takes it. */
export interface SignedWord {
  readonly signer: number;
  /** Who has said it. */
  readonly account: string;
  readonly claim: AttestedClaim;
  /** 65 bytes r, s, v in hexadecimal. */
  readonly signature: string;
}

/** Why a word does not count. */
export const WORD_FAULTS = [
  'other_signer',
  'no_claim',
  'other_claim',
  'other_digest',
  'empty_seat',
  'other_signature',
  'too_little_stake',
] as const;
export type WordFault = (typeof WORD_FAULTS)[number];

/** What is held against a word: its claim as it follows from the terms, and the seat of who was asked. */
export interface WordTerms {
  readonly claim: AttestedClaim;
  readonly seat: StakeSeat;
  /** A smaller stake is none. */
  readonly minStake: Units;
}

/** What is wrong with a word on funds; null where it counts. */
export function wordFault(word: Attestation, { claim, seat, minStake }: WordTerms): WordFault | null {
  if (word.signer !== claim.signer) return 'other_signer';
  if (word.claim === null) return 'no_claim';
  const digest = attestationDigest(claim);
  if (digestOrNull(word.claim) !== digest) return 'other_claim';
  if (word.digest !== digest) return 'other_digest';
  if (seat.account === null) return 'empty_seat';
  if (!isSignedBy(seat.account, digest, word.signature)) return 'other_signature';
  return BigInt(seat.stake) < BigInt(minStake) ? 'too_little_stake' : null;
}

/**
 * The word as it binds who has the seat, whether or not it is right; null where it is on something else, or the seat has not signed it. Which contract it is said to is the
 * caller's: with another, its signature fits nothing.
 */
export function signedWord(word: Attestation, { claim: expected, seat }: WordTerms): SignedWord | null {
  const { claim: said, signature } = word;
  if (said?.kind !== expected.kind || said.subject !== expected.subject || seat.account === null) return null;
  const { chainId, stake, organization, signer } = expected;
  const claim = { ...said, chainId, stake, organization, signer };
  const digest = digestOrNull(claim);
  if (digest === null || !isSignedBy(seat.account, digest, signature)) return null;
  return { signer, account: seat.account, claim, signature };
}

function isSignedBy(account: string, digest: string, signature: string): boolean {
  const key = ecdsaRecover(digest, signature);
  return key !== null && accountOf(key).toLowerCase() === account.toLowerCase();
}

/** Null where the claim cannot be written as the contract reads it. */
function digestOrNull(claim: AttestedClaim): string | null {
  try {
    return attestationDigest(claim);
  } catch {
    return null;
  }
}
