import { expect, test } from 'vitest';
import { loadCheckpointCrypto } from '../../../containers/validator/load-checkpoint-crypto.ts';
import { blockOf, firstMembers, settlement } from '../../../domain/consensus/chain.fixtures.ts';
import { certifyCheckpoint } from '../../../domain/consensus/checkpoints/certify-checkpoint.ts';
import { CheckpointCommittee } from '../../../domain/consensus/checkpoints/checkpoint.fixtures.ts';
import { type Checkpoint, checkpointHash } from '../../../domain/consensus/checkpoints/checkpoint.ts';
import { checkpointCertificateFault } from '../../../domain/consensus/checkpoints/checkpoint-certificate.ts';
import {
  type CheckpointMember,
  type CheckpointProposal,
  CheckpointSigner,
} from '../../../domain/consensus/checkpoints/checkpoint-member.ts';
import type { CheckpointVote, SignedCheckpoint } from '../../../domain/consensus/checkpoints/checkpoint-vote.ts';

const crypto = loadCheckpointCrypto();
const signers = await CheckpointCommittee.of(crypto);
const { signing, keys } = signers;
const first = blockOf(signing.hash, null, [settlement(1)]).header;
const second = blockOf(signing.hash, first, [settlement(2)]).header;
const short = proposalOf(null, [first]);
const long = proposalOf(null, [first, second]);

function proposalOf(parent: Checkpoint | null, blocks: CheckpointProposal['blocks']): CheckpointProposal {
  return { checkpoint: signers.checkpoint(parent, blocks), parent, blocks, certificate: null };
}

/** A member that stores what it has signed here, and takes blocks up to this height for final. */
function signerOf(number: number, stored: (SignedCheckpoint | null)[] = [], finalHeight = 2): CheckpointMember {
  const pair = signers.pairs[number];
  if (pair === undefined) throw new Error(`no member ${number}`);
  const signed = {
    last: () => stored[number] ?? null,
    save: (saved: SignedCheckpoint) => {
      stored[number] = saved;
    },
  };
  return new CheckpointSigner({ number, pair, signed, provesFinal: async ({ height }) => height <= finalHeight });
}

const away: CheckpointMember = { sign: () => Promise.reject(new Error('away')) };

/** One that answers another vote than its own. */
const wrong = (number: number, change: (vote: CheckpointVote) => Partial<CheckpointVote>): CheckpointMember => ({
  sign: async () => {
    const vote = signers.vote(number, short.checkpoint);
    return { ...vote, ...change(vote) };
  },
});

const committee = (others: Readonly<Record<number, CheckpointMember>> = {}) =>
  firstMembers(20).map((number) => others[number] ?? signerOf(number));
const certify = (members: readonly CheckpointMember[], proposal = short) =>
  certifyCheckpoint(members, proposal, keys, crypto);

test('sixteen members are asked, and others in the place of those who are away', async () => {
  const certificate = await certify(committee({ 0: away, 7: away, 16: away, 19: away }));
  if (certificate === null) throw new Error('no certificate');
  expect(checkpointCertificateFault(certificate, short.checkpoint, keys, crypto)).toBeNull();
  expect(certificate.bls.members).toEqual([1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18]);
  expect((await certify(committee({ 18: away, 19: away })))?.bls.members).toEqual(firstMembers(16));
  expect(await certify(committee({ 0: away, 7: away, 8: away, 16: away, 19: away }))).toBeNull();
});

test.each<[string, (vote: CheckpointVote) => Partial<CheckpointVote>]>([
  ['a BLS signature over another checkpoint', () => ({ bls: signers.vote(0, long.checkpoint).bls })],
  ['another’s BLS signature', () => ({ bls: signers.vote(4, short.checkpoint).bls })],
  ['an ML-DSA signature over another checkpoint', () => ({ mlDsa: signers.vote(0, long.checkpoint).mlDsa })],
  ['no point as BLS signature', () => ({ bls: 'f'.repeat(192) })],
  ['no hexadecimal digits', () => ({ bls: 'x', mlDsa: 'x' })],
  ['another checkpoint', () => ({ hash: checkpointHash(long.checkpoint) })],
  ['another number', () => ({ number: 2 })],
  ['another’s vote', () => signers.vote(4, short.checkpoint)],
])('a member that answers %s is left out', async (_, change) => {
  const certificate = await certify(committee({ 0: wrong(0, change) }));
  expect(certificate?.bls.members).toEqual(firstMembers(17).slice(1));
  expect(certificate && checkpointCertificateFault(certificate, short.checkpoint, keys, crypto)).toBeNull();
});

test('a member signs what it has signed again, and nothing else of that number, also after a restart', async () => {
  const stored: (SignedCheckpoint | null)[] = [];
  const vote = await signerOf(0, stored).sign(short);
  expect(vote).toEqual(signers.vote(0, short.checkpoint));
  expect(await signerOf(0, stored).sign(short)).toEqual(vote);
  expect(await signerOf(0, stored).sign(long)).toBeNull();
  const next = proposalOf(short.checkpoint, [second]);
  expect(await signerOf(0, stored).sign(next)).toEqual(signers.vote(0, next.checkpoint));
  expect(await signerOf(0, stored).sign(short)).toBeNull();
  expect(stored).toEqual([{ number: 2, hash: checkpointHash(next.checkpoint) }]);
});

test('of two proposals at once a member signs one', async () => {
  const member = signerOf(0, []);
  const votes = await Promise.all([member.sign(short), member.sign(long)]);
  expect(votes.filter((vote) => vote !== null)).toHaveLength(1);
});

test('a member signs no blocks that it does not know to be final, and stores nothing of them', async () => {
  const stored: (SignedCheckpoint | null)[] = [];
  expect(await signerOf(0, stored, 1).sign(long)).toBeNull();
  expect(await signerOf(0, stored, 1).sign({ ...short, blocks: [] })).toBeNull();
  expect(await signerOf(0, stored, 2).sign({ ...short, checkpoint: long.checkpoint })).toBeNull();
  expect(stored).toEqual([]);
});
