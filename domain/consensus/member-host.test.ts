import { expect, test } from 'vitest';
import { blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import { blockOf, SigningCommittee, settlement } from './chain.fixtures.ts';
import { type Committee, committeeHash, QUORUM } from './committee.ts';
import { verifyEd25519 } from './ed25519.ts';
import { handoverMessage } from './handover.ts';
import { MemberHost, type MemberMemory } from './member-host.ts';
import type { VotedFor } from './validator.ts';

/** A memory without checkpoints. */
function memory(): MemberMemory {
  const committees = new Map<number, Committee>();
  const votes = new Map<Hash, VotedFor>();
  const handovers = new Map<Hash, Hash>();
  return {
    seed: (epoch) => new Uint8Array(32).fill(100 + epoch),
    meets: (committee) => {
      const known = committees.get(committee.epoch) ?? committee;
      committees.set(committee.epoch, known);
      return committeeHash(known) === committeeHash(committee);
    },
    committee: (hash) => [...committees.values()].find((each) => committeeHash(each) === hash) ?? null,
    get hasVoted() {
      return votes.size > 0;
    },
    vote: (committee) => votes.get(committee) ?? null,
    keepVote: (committee, vote) => void votes.set(committee, vote),
    checkpoint: () => null,
    keepCheckpoint: () => undefined,
    handsOver: (committee, next) => {
      const named = handovers.get(committee) ?? next;
      handovers.set(committee, named);
      return named === next;
    },
  };
}

test('calls that come together find a member in one seat: it votes for what it has considered', async () => {
  const host = new MemberHost(memory(), () => {
    throw new Error('no checkpoints here');
  });
  const { committee: others } = await SigningCommittee.of();
  const committee = { ...others, keys: others.keys.with(0, await host.publicKey(1)) };
  const block = blockOf(committeeHash(committee), null, [settlement(1)]).header;
  const hash = blockHash(block);
  const heard = Array.from({ length: QUORUM }, (_, number) => [number, hash] as const);
  const [considered] = await Promise.all([
    host.consider(committee, null, { final: null, certificate: null, chain: [block] }),
    host.endRound(committee, 0, []),
  ]);
  expect(considered).toBe(hash);
  expect((await host.endRound(committee, 1, heard)).vote).toMatchObject({ member: 0, height: 1, hash });
});

test('a member that has no part in a committee may have one once the committee is another', async () => {
  const host = new MemberHost(memory(), () => {
    throw new Error('no checkpoints here');
  });
  const { committee: others } = await SigningCommittee.of();
  await expect(host.endRound(others, 0, [])).rejects.toThrow('not of the committee');
  await expect(host.endRound(others, 0, [])).rejects.toThrow('not of the committee');
  const committee = { ...others, keys: others.keys.with(5, await host.publicKey(1)) };
  expect(await host.endRound(committee, 0, [])).toEqual({ preferred: null, vote: null });
});

test('B-12: a member names one committee after its own, of a later epoch, and the same one again', async () => {
  const host = new MemberHost(memory(), () => {
    throw new Error('no checkpoints here');
  });
  const { committee: others } = await SigningCommittee.of();
  const key = await host.publicKey(1);
  const committee = { ...others, keys: others.keys.with(0, key) };
  const [next, another] = [(await SigningCommittee.of(41, 2)).committee, (await SigningCommittee.of(81, 2)).committee];
  const signature = await host.signHandover(committee, next);
  const message = handoverMessage(committeeHash(committee), committeeHash(next));
  expect(await verifyEd25519(key, message, signature)).toBe(true);
  expect(await host.signHandover(committee, next)).toBe(signature);
  await expect(host.signHandover(committee, another)).rejects.toThrow('has named another committee');
  await expect(host.signHandover(committee, { ...next, epoch: 1 })).rejects.toThrow('not later');
  await expect(host.signHandover(committee, { ...next, keys: [] })).rejects.toThrow('no committee');
  await expect(host.signHandover(others, next)).rejects.toThrow('not of the committee');
});
