import { expect, test } from 'vitest';
import type { AttestedClaim } from './attestation.ts';
import { fundsClaim } from './funds-claim.ts';
import { lieProofs } from './lie-proof.ts';
import { TERMS } from './signing.fixtures.ts';

const CLAIM = fundsClaim(
  { ...TERMS, source: { kind: 'chain', chain: 'exchange', address: `0x${'33'.repeat(20)}` } },
  { chainId: 8_675_311, stake: `0x${'22'.repeat(20)}`, wrapped: `0x${'11'.repeat(20)}` },
  2,
);

const kept = (claim: AttestedClaim, account = 'own') => ({ signer: claim.signer, account, claim, signature: '' });
const OTHER = '0f'.repeat(32);

test('two words of one account that say different things are a proof, and each that says that something was burnt may be one', () => {
  const deposit = { ...CLAIM, burn: null };
  const other = { ...deposit, digest: OTHER };
  const kinds = (words: Parameters<typeof lieProofs>[0]) => lieProofs(words).map(({ kind }) => kind);
  expect(kinds([kept(deposit), kept(other)])).toEqual(['equivocation']);
  expect(kinds([kept(deposit)])).toEqual([]);
  expect(kinds([kept(CLAIM)])).toEqual(['no_burn']);
  expect(kinds([kept(deposit), kept(other, 'another')])).toEqual([]);
  expect(kinds([kept(deposit), kept({ ...other, signer: 3 })])).toEqual([]);
  expect(kinds([kept(deposit), kept({ ...other, kind: 'cancel' })])).toEqual([]);
  expect(kinds([kept(deposit), kept({ ...other, subject: OTHER })])).toEqual([]);
  expect(kinds([kept(deposit), kept({ ...deposit, dueAt: 1 })])).toEqual([]);
});
