import { bls12_381 } from '@noble/curves/bls12-381.js';
import { expect, test } from 'vitest';
import { loadCheckpointCrypto } from '../../../containers/validator/load-checkpoint-crypto.ts';
import { fromHex, toHex } from '../../../domain/consensus/bytes.ts';
import { blockOf, firstMembers, settlement } from '../../../domain/consensus/chain.fixtures.ts';
import { CheckpointCommittee } from '../../../domain/consensus/checkpoints/checkpoint.fixtures.ts';
import {
  type CheckpointCertificate,
  checkpointCertificate,
  checkpointCertificateFault,
} from '../../../domain/consensus/checkpoints/checkpoint-certificate.ts';
import {
  type CheckpointKeys,
  checkpointKeysFault,
  checkpointKeysHash,
  type MemberCheckpointKeys,
  memberCheckpointKeys,
} from '../../../domain/consensus/checkpoints/checkpoint-keys.ts';
import { checkpointMessage, checkpointVoteFault } from '../../../domain/consensus/checkpoints/checkpoint-vote.ts';
import { verifyEd25519 } from '../../../domain/consensus/ed25519.ts';

const crypto = loadCheckpointCrypto();
const signers = await CheckpointCommittee.of(crypto);
const { signing, keys } = signers;
const blocks = [(await blockOf(signing.hash, null, [settlement(1)])).header];
const checkpoint = signers.checkpoint(null, blocks);
const another = signers.checkpoint(null, [(await blockOf(signing.hash, null, [settlement(2)])).header]);
const certificate = signers.certificate(checkpoint);

const fault = (changed: Partial<CheckpointCertificate>, of = keys, over = checkpoint) =>
  checkpointCertificateFault({ ...certificate, ...changed }, over, of, crypto);
const keysFault = (changed: Partial<CheckpointKeys>) =>
  checkpointKeysFault({ ...keys, ...changed }, signing.committee, crypto, verifyEd25519);
const withMember = (member: number, changed: Partial<MemberCheckpointKeys>) => {
  const own = keys.members[member];
  if (own === undefined) throw new Error(`no member ${member}`);
  return { members: keys.members.with(member, { ...own, ...changed }) };
};

test.each([16, 20])('signatures of %i members of both kinds certify a checkpoint', (members) => {
  const whole = signers.certificate(checkpoint, firstMembers(members));
  expect(checkpointCertificateFault(whole, checkpoint, keys, crypto)).toBeNull();
});

test('the two parts may be of other members', () => {
  const late = signers.certificate(checkpoint, firstMembers(20).slice(4));
  expect(fault({ bls: late.bls })).toBeNull();
});

test('15 members are too few in either part, and one who signs twice counts once', () => {
  const short = signers.certificate(checkpoint, firstMembers(15));
  expect(fault({ bls: short.bls })).toBe('it has 15 BLS signatures and not 16');
  expect(fault({ mlDsa: short.mlDsa })).toBe('it has 15 ML-DSA signatures and not 16');
  const votes = [...firstMembers(15), 14].map((member) => signers.vote(member, checkpoint));
  const twice = checkpointCertificate(votes, crypto);
  if (twice === null) throw new Error('no certificate');
  expect(fault({ bls: twice.bls })).toBe('its BLS signatures have no order');
  expect(fault({ mlDsa: twice.mlDsa })).toBe('its ML-DSA signatures have no order');
});

test('every signature is a member’s, and who is named has signed', () => {
  const { bls, mlDsa } = certificate;
  expect(fault({ bls: { ...bls, members: [...firstMembers(15), 20] } })).toBe('the committee has no member 20');
  expect(fault({ bls: { ...bls, members: [...firstMembers(15), 19] } })).toBe('its BLS signature is not its members’');
  expect(fault({ bls: { ...bls, members: firstMembers(17) } })).toBe('its BLS signature is not its members’');
  const [vote] = mlDsa.slice(-1);
  if (vote === undefined) throw new Error('no signature');
  expect(fault({ mlDsa: mlDsa.with(15, { ...vote, member: 20 }) })).toBe('the committee has no member 20');
  expect(fault({ mlDsa: mlDsa.with(15, { ...vote, member: 19 }) })).toContain('of member 19 is not signed by it');
  expect(fault({ bls: { ...bls, members: [-1, ...firstMembers(15)] } })).toBe('the committee has no member -1');
});

test('a signature over another checkpoint, or of other keys, is none', async () => {
  const other = signers.certificate(another);
  expect(fault(other)).toBe('it is over another checkpoint');
  expect(fault({ bls: other.bls })).toBe('its BLS signature is not its members’');
  expect(fault({ mlDsa: other.mlDsa })).toContain('of member 0 is not signed by it');
  expect(fault({}, keys, another)).toBe('it is over another checkpoint');
  expect(fault({}, keys, { ...checkpoint, number: 2 })).toBe('it is over another checkpoint');
  expect(fault({}, { ...keys, epoch: 2 })).toBe('the keys are of another committee');
  const others = await CheckpointCommittee.of(crypto, 101);
  expect(fault({}, others.keys)).toBe('the keys are of another committee');
  const claimed = { ...checkpoint, committee: others.keys.committee, keys: checkpointKeysHash(others.keys) };
  const theirs = others.certificate(claimed);
  expect(checkpointCertificateFault(theirs, claimed, others.keys, crypto)).toBeNull();
  expect(fault({ bls: theirs.bls, mlDsa: theirs.mlDsa })).toBe('its BLS signature is not its members’');
});

test('each changed byte of a certificate is found', () => {
  const { bls, mlDsa } = certificate;
  const places: [string, (digit: number) => Partial<CheckpointCertificate>, number][] = [
    ['hash', (at) => ({ hash: changed(certificate.hash, at) }), 64],
    ['bls', (at) => ({ bls: { ...bls, signature: changed(bls.signature, at) } }), 192],
  ];
  for (const [name, change, digits] of places)
    for (let at = 0; at < digits; at += 2) expect(fault(change(at)), `${name} ${at}`).not.toBeNull();
  for (const [place, vote] of mlDsa.entries()) {
    const at = (place * 414) % 6_618;
    const other = mlDsa.with(place, { ...vote, signature: changed(vote.signature, at) });
    expect(fault({ mlDsa: other })).toContain(`of member ${vote.member} is not signed by it`);
  }
  expect(fault({ number: 2 })).toBe('it is over another checkpoint');
  expect(fault({ bls: { ...bls, signature: bls.signature.toUpperCase() } })).toContain('BLS');
  expect(fault({ bls: { ...bls, signature: '' } })).toContain('BLS');
  expect(fault({ mlDsa: mlDsa.with(0, { member: 0, signature: 'short' }) })).toContain('member 0');
});

test('a vote is held to its member, its checkpoint and both of its signatures before it is aggregated', () => {
  const vote = signers.vote(3, checkpoint);
  const other = signers.vote(3, another);
  const voteFault = (change: object) => checkpointVoteFault({ ...vote, ...change }, checkpoint, keys, crypto);
  expect(voteFault({})).toBeNull();
  expect(voteFault({ member: 20 })).toBe('the committee has no member 20');
  expect(voteFault({ member: 4 })).toBe('member 4 has not signed it with BLS');
  expect(voteFault({ number: 2 })).toBe('it is over another one');
  expect(voteFault({ hash: other.hash })).toBe('it is over another one');
  expect(voteFault({ bls: other.bls })).toBe('member 3 has not signed it with BLS');
  expect(voteFault({ mlDsa: other.mlDsa })).toBe('member 3 has not signed it with ML-DSA');
});

test('the keys of a committee are of the right sizes, each once, proved and signed by their members', async () => {
  expect(await keysFault({})).toBeNull();
  const [first, second] = keys.members;
  if (first === undefined || second === undefined) throw new Error('no members');
  expect(await keysFault({ epoch: 2 })).toBe('they are of another committee');
  expect(await keysFault({ committee: 'e'.repeat(64) })).toBe('they are of another committee');
  expect(await keysFault({ members: keys.members.slice(1) })).toBe('there are those of 19 members and not of 20');
  expect(await keysFault(withMember(1, { bls: first.bls.slice(2) }))).toBe('member 1: its BLS key is not 48 bytes');
  expect(await keysFault(withMember(1, { proof: `${first.proof}00` }))).toBe('member 1: its proof is not 96 bytes');
  expect(await keysFault(withMember(1, { mlDsa: 'x'.repeat(3_904) }))).toBe(
    'member 1: its ML-DSA key is not 1952 bytes',
  );
  expect(await keysFault(withMember(1, { bls: first.bls, proof: first.proof }))).toBe('two members have one BLS key');
  expect(await keysFault(withMember(1, { mlDsa: first.mlDsa }))).toBe('two members have one ML-DSA key');
  expect(await keysFault(withMember(1, { proof: first.proof }))).toBe('member 1: it does not prove its BLS key');
  expect(await keysFault(withMember(1, { endorsement: first.endorsement }))).toBe(
    'member 1: it has not signed its keys',
  );
  expect(await keysFault({ members: [second, first, ...keys.members.slice(2)] })).toBe(
    'member 0: it has not signed its keys',
  );
});

test('a key made of the others’ keys signs for all of them, and has no proof', async () => {
  const own = signers.pairs[15];
  const ed25519 = signing.keys[15];
  if (own === undefined || ed25519 === undefined) throw new Error('no member 15');
  const { Point } = bls12_381.G1;
  const others = keys.members.slice(0, 15).map(({ bls }) => Point.fromHex(bls));
  const sum = others.reduce((all, point) => all.add(point));
  const rogue = Point.fromBytes(own.bls.publicKey).subtract(sum).toBytes();
  const bls = { ...own.bls, publicKey: rogue };
  const members = keys.members.with(15, await memberCheckpointKeys(keys.committee, 15, { ...own, bls, ed25519 }));
  const spoiled = { ...keys, members };
  const claimed = { ...checkpoint, keys: checkpointKeysHash(spoiled) };
  const message = checkpointMessage(claimed);
  const alone = own.bls.sign(message);
  const named = members.slice(0, 16).map((member) => fromHex(member.bls));
  expect(crypto.bls.fastAggregateVerify(named, message, alone)).toBe(true);
  expect(await keysFault({ members })).toBe('member 15: it does not prove its BLS key');
  expect(toHex(rogue)).not.toBe(keys.members[15]?.bls);
});

test('the hash of keys names each key, the epoch and the committee', () => {
  const [first, second] = keys.members;
  if (first === undefined || second === undefined) throw new Error('no members');
  const hashes = [
    keys,
    { ...keys, epoch: 2 },
    { ...keys, committee: 'e'.repeat(64) },
    { ...keys, ...withMember(0, { bls: second.bls }) },
    { ...keys, ...withMember(0, { mlDsa: second.mlDsa }) },
    { ...keys, members: keys.members.slice(1) },
  ].map(checkpointKeysHash);
  expect(new Set(hashes).size).toBe(hashes.length);
});

function changed(hex: string, at: number): string {
  return `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}`;
}
