import { expect, test } from 'vitest';
import { accountOf } from './account-of.ts';
import { type AttestedClaim, attestationDigest } from './attestation.ts';
import { fundsClaim } from './funds-claim.ts';
import { type HeardWords, hearWord } from './hear-word.ts';
import type { WordTerms } from './judge-word.ts';
import { PlainMemory } from './memory/plain-memory.fixtures.ts';
import { signAttestation, signerIdentity } from './signer-identity.ts';
import { TERMS } from './signing.fixtures.ts';

const PLACE = { chainId: 8_675_311, stake: `0x${'22'.repeat(20)}`, wrapped: null };
const NOTHING: HeardWords = { words: [], faults: [] };

const own = signerIdentity(new PlainMemory());
const CLAIM = fundsClaim(TERMS, PLACE, 1);
const HELD: WordTerms = { claim: CLAIM, seat: { account: accountOf(own.key), stake: '0' }, minStake: '0' };

function said(change: Partial<AttestedClaim> = {}) {
  const claim = { ...CLAIM, ...change };
  const digest = attestationDigest(claim);
  return { signer: 1, claim, digest, signature: signAttestation(own, digest) };
}

const OTHER = 'ab'.repeat(32);

test('a right word is kept, and heard again it changes nothing', () => {
  const once = hearWord(NOTHING, said(), HELD, 5);
  expect(once).toMatchObject({ fault: null, words: [{ signer: 1, claim: CLAIM }], faults: [] });
  const twice = hearWord(once, said(), HELD, 6);
  expect(twice.words).toBe(once.words);
  expect(twice.faults).toBe(once.faults);
});

test.each([
  ['first', [said({ digest: OTHER }), said()]],
  ['last', [said(), said({ digest: OTHER })]],
])('a word that contradicts another is kept beside it, and is a fault, whichever comes %s', (_, [one, other]) => {
  const first = hearWord(NOTHING, one ?? said(), HELD, 5);
  const both = hearWord(first, other ?? said(), HELD, 6);
  expect(both.words.map(({ claim }) => claim.digest).toSorted()).toEqual([CLAIM.digest, OTHER].toSorted());
  expect(both.faults.map(({ signer, reason }) => [signer, reason])).toEqual([
    [1, 'other_claim'],
    [1, 'contradiction'],
  ]);
});

test('a word that nobody can be held to is a fault, and is not kept', () => {
  const heard = hearWord(NOTHING, { ...said(), claim: null }, HELD, 5);
  expect(heard).toEqual({ fault: 'no_claim', words: [], faults: [{ signer: 1, reason: 'no_claim', at: 5 }] });
  expect(hearWord(heard, { ...said(), claim: null }, HELD, 9).faults).toBe(heard.faults);
});

test('what one signer has said is no fault of another', () => {
  const liar = hearWord(hearWord(NOTHING, said(), HELD, 5), said({ digest: OTHER }), HELD, 5);
  const claim = { ...CLAIM, signer: 3 };
  const digest = attestationDigest(claim);
  const word = { signer: 3, claim, digest, signature: signAttestation(own, digest) };
  const heard = hearWord(liar, word, { ...HELD, claim }, 6);
  expect(heard.fault).toBeNull();
  expect(heard.faults).toBe(liar.faults);
});
