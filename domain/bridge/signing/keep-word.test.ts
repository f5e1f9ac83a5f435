import { expect, test } from 'vitest';
import { type AttestedClaim, attestationDigest } from './attestation.ts';
import { fundsClaim } from './funds-claim.ts';
import { keepWord } from './keep-word.ts';
import { TERMS } from './signing.fixtures.ts';

const CLAIM = fundsClaim(
  { ...TERMS, source: { kind: 'chain', chain: 'exchange', address: `0x${'33'.repeat(20)}` } },
  { chainId: 8_675_311, stake: `0x${'22'.repeat(20)}`, wrapped: `0x${'11'.repeat(20)}` },
  2,
);
const RIGHT = attestationDigest(CLAIM);

const kept = (claim: AttestedClaim, account = 'own') => ({ signer: claim.signer, account, claim, signature: '' });
const lie = (n: number) => kept({ ...CLAIM, digest: `0${n}`.padStart(64, '0') });

test('words are kept once, and of each seat so many as prove something', () => {
  const one = keepWord([], kept(CLAIM), RIGHT);
  expect(keepWord(one, kept(CLAIM), RIGHT)).toBe(one);
  let all = one;
  for (let n = 1; n < 9; n++) all = keepWord(all, lie(n), RIGHT);
  expect(all).toEqual([kept(CLAIM), lie(1), lie(2)]);
  // A seat has changed hands: what counts is always among them.
  for (const account of ['second', 'third', 'fourth']) {
    all = keepWord(all, kept(CLAIM, account), RIGHT);
    expect(all).toContainEqual(kept(CLAIM, account));
    expect(all.length).toBeLessThanOrEqual(4);
  }
  expect(all).toContainEqual(kept(CLAIM));
  expect(keepWord(all, kept({ ...CLAIM, signer: 4 }), attestationDigest({ ...CLAIM, signer: 4 }))).toHaveLength(5);
});
