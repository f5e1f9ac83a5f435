import { attestationDigest } from './attestation.ts';
import type { SignedWord } from './judge-word.ts';

/** Of one seat, so many that are right, by one account after another, and so many others: two are a proof. */
const WORDS_OF_SEAT_MAX = 2;

/**
 * Words of a transfer with one more. One that is known changes nothing. Where a seat has as many as are kept, another that is right takes the place of its last, since nothing counts
 * that is not kept, and another that is wrong proves nothing more.
 *
 * @param right digest of the claim that follows from the terms (`attestationDigest`)
 */
export function keepWord(words: readonly SignedWord[], word: SignedWord, right: string): readonly SignedWord[] {
  const digest = attestationDigest(word.claim);
  const isRight = digest === right;
  const ofSeat = words.filter(
    ({ signer, claim }) => signer === word.signer && (attestationDigest(claim) === right) === isRight,
  );
  if (ofSeat.some(({ account, claim }) => account === word.account && attestationDigest(claim) === digest))
    return words;
  if (ofSeat.length < WORDS_OF_SEAT_MAX) return [...words, word];
  return isRight ? [...words.filter((kept) => kept !== ofSeat.at(-1)), word] : words;
}
