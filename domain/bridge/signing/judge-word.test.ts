import { expect, test } from 'vitest';
import { accountOf } from './account-of.ts';
import { type AttestedClaim, attestationDigest } from './attestation.ts';
import type { Attestation } from './bridge-signer.ts';
import { fundsClaim } from './funds-claim.ts';
import { signedWord, type WordTerms, wordFault } from './judge-word.ts';
import { PlainMemory } from './memory/plain-memory.fixtures.ts';
import { type SignerIdentity, signAttestation, signerIdentity } from './signer-identity.ts';
import { TERMS } from './signing.fixtures.ts';

const [WRAPPED, STAKE, BURNER, OTHER] = ['11', '22', '33', '44'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
  string,
];
const PLACE = { chainId: 8_675_311, stake: STAKE, wrapped: WRAPPED };
const BURN_TERMS = { ...TERMS, source: { kind: 'chain', chain: 'exchange', address: BURNER } } as const;
const CLAIM = fundsClaim(BURN_TERMS, PLACE, 2);

const [own, stranger] = [signerIdentity(new PlainMemory()), signerIdentity(new PlainMemory())];
const HELD: WordTerms = { claim: CLAIM, seat: { account: accountOf(own.key), stake: '100' }, minStake: '100' };
const RIGHT = attestationDigest(CLAIM);

/** A word as a signer gives it, whatever it says. */
function said(claim: AttestedClaim, by: SignerIdentity = own): Attestation {
  const digest = attestationDigest(claim);
  return { signer: claim.signer, claim, digest, signature: signAttestation(by, digest) };
}

const byte = (text: string) => text.replace(/^../, (digits) => (digits === 'ff' ? '00' : 'ff'));
const another = (change: Partial<AttestedClaim>) => said({ ...CLAIM, ...change });
const burn = CLAIM.burn ?? { wrapped: '', burner: '', amount: '' };

test('a word that follows from the terms, by who has the seat and its stake, counts', () => {
  expect(wordFault(said(CLAIM), HELD)).toBeNull();
  expect(wordFault(said(CLAIM), { ...HELD, seat: { ...HELD.seat, account: accountOf(own.key).toLowerCase() } })).toBe(
    null,
  );
  const deposit = fundsClaim(TERMS, { ...PLACE, wrapped: null }, 2);
  expect(deposit.burn).toBeNull();
  expect(wordFault(said(deposit), { ...HELD, claim: deposit })).toBeNull();
});

test.each<[string, Attestation, string]>([
  ['another signer', { ...said(CLAIM), signer: 3 }, 'other_signer'],
  ['nothing that could be proved wrong', { ...said(CLAIM), claim: null }, 'no_claim'],
  ['another chain', another({ chainId: 8_675_309 }), 'other_claim'],
  ['another contract', another({ stake: OTHER }), 'other_claim'],
  ['another organization', another({ organization: 'other' }), 'other_claim'],
  ['another seat', { ...another({ signer: 1 }), signer: 2 }, 'other_claim'],
  ['another kind', another({ kind: 'payment' }), 'other_claim'],
  ['another transfer', another({ subject: byte(CLAIM.subject) }), 'other_claim'],
  ['something else', another({ digest: byte(CLAIM.digest) }), 'other_claim'],
  ['no burn', another({ burn: null }), 'other_claim'],
  ['a burn of another token', another({ burn: { ...burn, wrapped: OTHER } }), 'other_claim'],
  ['a burn by somebody else', another({ burn: { ...burn, burner: OTHER } }), 'other_claim'],
  ['a burn of another amount', another({ burn: { ...burn, amount: '1' } }), 'other_claim'],
  ['another time', another({ dueAt: CLAIM.dueAt + 1 }), 'other_claim'],
  ['what no contract reads', { ...said(CLAIM), claim: { ...CLAIM, stake: 'none' } }, 'other_claim'],
  ['a digest of something else', { ...said(CLAIM), digest: byte(RIGHT) }, 'other_digest'],
  ['no signature', { ...said(CLAIM), signature: '' }, 'other_signature'],
  ['a signature of something else', { ...said(CLAIM), signature: another({ dueAt: 1 }).signature }, 'other_signature'],
  ['the signature of another seat', said(CLAIM, stranger), 'other_signature'],
])('a word that names %s does not count', (_, word, fault) => {
  expect(wordFault(word, HELD)).toBe(fault);
});

test('a word counts with a seat and the least stake, and not below', () => {
  const { account } = HELD.seat;
  expect(wordFault(said(CLAIM), { ...HELD, seat: { account: null, stake: '100' } })).toBe('empty_seat');
  expect(wordFault(said(CLAIM), { ...HELD, seat: { account, stake: '99' } })).toBe('too_little_stake');
  expect(wordFault(said(CLAIM), { ...HELD, seat: { account, stake: '0' }, minStake: '0' })).toBeNull();
});

test('what the seat has signed of the same funds binds it, right or wrong; nothing else does', () => {
  expect(signedWord(said(CLAIM), HELD)).toMatchObject({ signer: 2, account: accountOf(own.key), claim: CLAIM });
  for (const change of [{ digest: byte(CLAIM.digest) }, { burn: null }, { dueAt: 1 }])
    expect(signedWord(another(change), HELD)?.claim).toEqual({ ...CLAIM, ...change });
  for (const change of [{ chainId: 1 }, { stake: OTHER }, { organization: 'other' }, { signer: 1 }])
    expect(signedWord(another(change), HELD), JSON.stringify(change)).toBeNull();
  for (const change of [{ kind: 'payment' }, { subject: byte(CLAIM.subject) }] as const)
    expect(signedWord(another(change), HELD)).toBeNull();
  expect(signedWord(said(CLAIM, stranger), HELD)).toBeNull();
  expect(signedWord({ ...said(CLAIM), claim: null }, HELD)).toBeNull();
  expect(signedWord(said(CLAIM), { ...HELD, seat: { account: null, stake: '0' } })).toBeNull();
});
