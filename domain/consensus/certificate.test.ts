import { expect, test } from 'vitest';
import { certificateFault } from './certificate.ts';
import { blockOf, firstMembers, SigningCommittee, settlement } from './chain.fixtures.ts';
import { committeeFault, committeeHash } from './committee.ts';
import { memberKey, verifyEd25519 } from './ed25519.ts';
import { equivocationFault, findEquivocation } from './equivocation.ts';

const signing = await SigningCommittee.of();
const { committee } = signing;
const first = blockOf(signing.hash, null, [settlement(1)]);
const second = blockOf(signing.hash, first.header, [settlement(2)]);
const other = blockOf(signing.hash, null, [settlement(3)]);
const afterOther = blockOf(signing.hash, other.header, [settlement(4)]);

test('the key pair of RFC 8032 section 7.1, test 2', async () => {
  const secret = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
  const key = await memberKey(secret);
  expect(key.publicKey).toBe('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
  const signature = await key.sign(Uint8Array.of(0x72));
  expect(signature).toBe(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  );
  expect(await verifyEd25519(key.publicKey, Uint8Array.of(0x72), signature)).toBe(true);
  expect(await verifyEd25519(key.publicKey, Uint8Array.of(0x73), signature)).toBe(false);
  expect(await verifyEd25519('00', Uint8Array.of(0x72), signature)).toBe(false);
  expect(await verifyEd25519(key.publicKey, Uint8Array.of(0x72), 'short')).toBe(false);
});

test.each([16, 20])('the votes of %i members make a block final', async (members) => {
  const certificate = await signing.certificate(first.header, firstMembers(members));
  expect(await certificateFault(certificate, committee, verifyEd25519)).toBeNull();
});

test('15 votes do not, nor do 16 of which two are one member’s', async () => {
  const short = await signing.certificate(first.header, firstMembers(15));
  expect(await certificateFault(short, committee, verifyEd25519)).toBe('it has 15 votes and not 16');
  const twice = { ...short, votes: [...short.votes.slice(0, 1), ...short.votes] };
  expect(await certificateFault(twice, committee, verifyEd25519)).toBe('its votes have no order');
});

test('every vote is of a member, over this block, of this committee', async () => {
  const whole = await signing.certificate(first.header);
  const [vote] = whole.votes;
  if (vote === undefined) throw new Error('no vote');
  const stranger = { ...whole, votes: [...whole.votes, { ...vote, member: 20 }] };
  expect(await certificateFault(stranger, committee, verifyEd25519)).toBe('the committee has no member 20');
  const borrowed = { ...whole, votes: [...whole.votes, { ...vote, member: 19 }] };
  expect(await certificateFault(borrowed, committee, verifyEd25519)).toBe('the vote of member 19 is not signed by it');
  expect(await certificateFault({ ...whole, height: 2 }, committee, verifyEd25519)).toContain('member 0');
  expect(await certificateFault({ ...whole, hash: signing.hash }, committee, verifyEd25519)).toContain('member 0');
  expect(await certificateFault(whole, { ...committee, epoch: 2 }, verifyEd25519)).toContain('member 0');
});

test('a committee is 20 members of different keys, and its hash names them and its epoch', () => {
  expect(committeeFault(committee)).toBeNull();
  expect(committeeFault({ ...committee, epoch: 0 })).toContain('epoch');
  expect(committeeFault({ ...committee, keys: committee.keys.slice(1) })).toContain('19 members');
  expect(committeeFault({ ...committee, keys: [...committee.keys.slice(1), committee.keys[1] ?? ''] })).toContain(
    'one key',
  );
  expect(committeeFault({ ...committee, keys: [...committee.keys.slice(1), 'x'] })).toContain('32 bytes');
  const hashes = [committee, { ...committee, epoch: 2 }, { ...committee, keys: committee.keys.toReversed() }];
  expect(new Set(hashes.map(committeeHash)).size).toBe(3);
});

test('a member that votes for two blocks of one height is proved to', async () => {
  const votes = [await signing.vote(3, first.header), await signing.vote(3, other.header)];
  const found = findEquivocation(votes, () => [other.header]);
  if (found === null) throw new Error('not found');
  expect(await equivocationFault(found, committee, verifyEd25519)).toBeNull();
});

test('a member that votes for a block, and for a later one that does not stand on it, is proved to', async () => {
  const votes = [await signing.vote(3, afterOther.header), await signing.vote(3, first.header)];
  const found = findEquivocation(votes, () => [other.header, afterOther.header]);
  if (found === null) throw new Error('not found');
  expect(await equivocationFault(found, committee, verifyEd25519)).toBeNull();
});

test('two votes for one chain prove nothing, nor do those of two members, a broken chain or a forged vote', async () => {
  const [low, high] = [await signing.vote(3, first.header), await signing.vote(3, second.header)];
  expect(findEquivocation([low, high], () => [first.header, second.header])).toBeNull();
  expect(findEquivocation([low, await signing.vote(4, other.header)], () => [other.header])).toBeNull();
  expect(findEquivocation([low, high], () => null)).toBeNull();
  const fault = (votes: readonly [typeof low, typeof low], chain: readonly (typeof first.header)[]) =>
    equivocationFault({ votes, chain }, committee, verifyEd25519);
  expect(await fault([low, high], [first.header, second.header])).toBe('the second block stands on the first');
  expect(await fault([low, await signing.vote(4, other.header)], [other.header])).toBe('the votes are of two members');
  const later = await signing.vote(3, afterOther.header);
  expect(await fault([low, later], [afterOther.header])).toContain('does not begin');
  expect(await fault([low, later], [other.header])).toContain('does not end');
  expect(await fault([low, later], [other.header, second.header])).toContain('does not end');
  expect(await fault([low, high], [other.header, second.header])).toBe('the chain is broken');
  const forged = { ...(await signing.vote(4, other.header)), member: 3 };
  expect(await fault([low, forged], [other.header])).toContain('not signed by the member');
});
