import type { SignedWord } from './judge-word.ts';

/** What SignerStake takes a stake for. */
export const LIE_KINDS = ['equivocation', 'no_burn'] as const;

/** A proof that a signer has lied, by its own words. Whether a burn is there, the chain says. */
export type LieProof =
  | { readonly kind: 'equivocation'; readonly words: readonly [SignedWord, SignedWord] }
  | { readonly kind: 'no_burn'; readonly words: readonly [SignedWord] };

/** Proofs that the words of one transfer may give, in the order in which they came: two of one account that say different things, and each that says that something was burnt. */
export function lieProofs(words: readonly SignedWord[]): readonly LieProof[] {
  const twice = words.flatMap((one, index): LieProof[] => {
    const other = words.slice(index + 1).find((later) => isContradiction(one, later));
    return other === undefined ? [] : [{ kind: 'equivocation', words: [one, other] }];
  });
  const burns = words
    .filter(({ claim }) => claim.burn !== null)
    .map((word): LieProof => ({ kind: 'no_burn', words: [word] }));
  return [...twice, ...burns];
}

/** As the contract sees it (`proveEquivocation`). */
function isContradiction(one: SignedWord, other: SignedWord): boolean {
  const isOfOne = one.signer === other.signer && one.account === other.account;
  const isOnOne = one.claim.kind === other.claim.kind && one.claim.subject === other.claim.subject;
  return isOfOne && isOnOne && one.claim.digest !== other.claim.digest;
}
