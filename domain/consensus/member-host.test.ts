import { expect, test } from 'vitest';
import { blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import { blockOf, SigningCommittee, settlement } from './chain.fixtures.ts';
import { type Committee, committeeHash, QUORUM } from './committee.ts';
import { MemberHost, type MemberMemory } from './member-host.ts';
import type { VotedFor } from './validator.ts';

/** A memory without checkpoints. */
function memory(): MemberMemory {
  const committees = new Map<number, Committee>();
  const votes = new Map<Hash, VotedFor>();
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
