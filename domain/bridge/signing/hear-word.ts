import { attestationDigest } from './attestation.ts';
import type { Attestation } from './bridge-signer.ts';
import { type SignedWord, signedWord, type WordFault, type WordTerms, wordFault } from './judge-word.ts';
import { keepWord } from './keep-word.ts';
import { lieProofs } from './lie-proof.ts';
import { noteFault, type SignerFault } from './signer-fault.ts';

/** What a transfer knows of its signers' words. */
export interface HeardWords {
  readonly words: readonly SignedWord[];
  readonly faults: readonly SignerFault[];
}

/** What a transfer knows after a word, and why that does not count; null where it does. What is known already stays the same list. */
export function hearWord(
  { words, faults }: HeardWords,
  word: Attestation,
  held: WordTerms,
  at: number,
): HeardWords & { readonly fault: WordFault | null } {
  const { signer } = held.claim;
  const fault = wordFault(word, held);
  const signed = signedWord(word, held);
  const kept = signed === null ? words : keepWord(words, signed, attestationDigest(held.claim));
  const isContradiction = lieProofs(kept).some(
    (proof) => proof.kind === 'equivocation' && proof.words[0].signer === signer,
  );
  const noted = fault === null ? faults : noteFault(faults, { signer, reason: fault, at });
  const all = isContradiction ? noteFault(noted, { signer, reason: 'contradiction', at }) : noted;
  return { words: kept, faults: all, fault };
}
