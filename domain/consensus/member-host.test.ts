import { expect, test } from 'vitest';
import { type BlockHeader, blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import type { QuorumCertificate } from './certificate.ts';
import { blockOf, SigningCommittee, settlement } from './chain.fixtures.ts';
import { COMMITTEE_SIZE, type Committee, committeeHash, QUORUM } from './committee.ts';
import { type MemberKey, memberKey, verifyEd25519 } from './ed25519.ts';
import { handoverMessage, type PublishedCommittee } from './handover.ts';
import { type CommitteeVote, MemberHost, type MemberMemory } from './member-host.ts';
import { voteMessage } from './vote.ts';

/** A memory without checkpoints. */
function memory(number = 0): MemberMemory {
  const believed: Committee[] = [];
  const committees = new Map<number, Committee>();
  const votes = new Map<Hash, CommitteeVote>();
  return {
    seed: (epoch) => new Uint8Array(32).fill(100 + epoch).fill(number, 0, 1),
    meets: (committee) => {
      const known = committees.get(committee.epoch) ?? committee;
      committees.set(committee.epoch, known);
      return committeeHash(known) === committeeHash(committee);
    },
    committee: (hash) => [...committees.values()].find((each) => committeeHash(each) === hash) ?? null,
    believe: (committee) => void believed.push(committee),
    believed: () => believed,
    get hasVoted() {
      return votes.size > 0;
    },
    lastVote: () => [...votes.values()].sort((one, other) => other.epoch - one.epoch)[0] ?? null,
    keepVote: (hash, vote) => {
      const epoch = [...committees.values()].find((each) => committeeHash(each) === hash)?.epoch ?? 0;
      votes.set(hash, { ...vote, epoch });
    },
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

const NO_CHECKPOINTS = () => {
  throw new Error('no checkpoints here');
};

/** A committee of an epoch whose first member this is, and others of which nobody knows the keys. */
async function committeeWith(host: MemberHost, epoch: number, firstByte = epoch * 20 + 1): Promise<Committee> {
  const { committee } = await SigningCommittee.of(firstByte, epoch);
  return { epoch, keys: committee.keys.with(0, await host.publicKey(epoch)) };
}

test('B-12: a member names committees of later epochs that have its own key of their epoch, one an epoch, and the same one again', async () => {
  const host = new MemberHost(memory(), NO_CHECKPOINTS);
  const committee = await committeeWith(host, 1);
  const [next, another, later] = [
    await committeeWith(host, 2),
    await committeeWith(host, 2, 81),
    await committeeWith(host, 3),
  ];
  const [key = ''] = committee.keys;
  const isNamed = async (by: Committee, named: Committee, signature: string) =>
    verifyEd25519(by.keys[0] ?? '', handoverMessage(committeeHash(by), committeeHash(named)), signature);
  const signature = await host.signHandover(committee, next);
  expect(await isNamed(committee, next, signature)).toBe(true);
  expect(await host.signHandover(committee, next)).toBe(signature);
  await expect(host.signHandover(committee, another)).rejects.toThrow('another committee of epoch 2');
  await expect(host.endRound(another, 0, [])).rejects.toThrow('another committee of epoch 2');
  await expect(host.signHandover(committee, { ...next, epoch: 1 })).rejects.toThrow('not later');
  await expect(host.signHandover(committee, { ...next, keys: [] })).rejects.toThrow('no committee');
  // Who keeps a made-up committee of an epoch from being another's takes that epoch alone.
  expect(await isNamed(committee, later, await host.signHandover(committee, later))).toBe(true);
  const stranger = (await SigningCommittee.of(101, 4)).committee;
  for (const made of [stranger, { ...stranger, keys: stranger.keys.with(0, key) }])
    await expect(host.signHandover(committee, made)).rejects.toThrow('not of the next committee');
  await expect(host.signHandover(stranger, { ...next, epoch: 5 })).rejects.toThrow('not of the committee');
});

test('a member names no second committee of an epoch in which it sits already', async () => {
  const host = new MemberHost(memory(), NO_CHECKPOINTS);
  const [committee, next, another] = [
    await committeeWith(host, 1),
    await committeeWith(host, 2),
    await committeeWith(host, 2, 81),
  ];
  await host.endRound(next, 0, []);
  await expect(host.signHandover(committee, another)).rejects.toThrow('another committee of epoch 2');
  await host.signHandover(committee, next);
});

test('a member stands by its vote in every committee of a later epoch, and votes in none of an earlier one again, however calls cross', async () => {
  const host = new MemberHost(memory(), NO_CHECKPOINTS);
  const committees = [
    await committeeWith(host, 1),
    await committeeWith(host, 2),
    await committeeWith(host, 3),
  ] as const;
  const [one, two, three] = committees;
  const blockIn = (committee: Committee, number: number) =>
    blockOf(committeeHash(committee), null, [settlement(number)]).header;
  const [first, second, third] = [blockIn(one, 1), blockIn(two, 2), blockIn(three, 3)];
  const consider = (committee: Committee, block: typeof first) =>
    host.consider(committee, null, { final: null, certificate: null, chain: [block] });
  const vote = async (committee: Committee, block: typeof first) => {
    const heard = Array.from({ length: QUORUM }, (_, number) => [number, blockHash(block)] as const);
    return (await host.endRound(committee, 0, heard)).vote;
  };
  expect(await consider(one, first)).toBe(blockHash(first));
  expect(await consider(three, third)).toBe(blockHash(third));
  expect(await consider(two, second)).toBe(blockHash(second));
  expect(await vote(two, second)).toMatchObject({ height: 1, hash: blockHash(second) });
  // What was considered before the vote does not know of it.
  expect(await vote(three, third)).toBeNull();
  expect(await vote(one, first)).toBeNull();
  expect(await consider(three, third)).toBeNull();
  expect(await consider(one, first)).toBeNull();
  expect(await consider(two, second)).toBe(blockHash(second));
});

test('a member that has voted in a later epoch gives no vote in an earlier one, whatever is final', async () => {
  const kept = memory();
  const host = new MemberHost(kept, NO_CHECKPOINTS);
  const signing = await SigningCommittee.of(201, 1);
  kept.meets(signing.committee);
  const [two, three] = [await committeeWith(host, 2), await committeeWith(host, 3)];
  const final = blockOf(signing.hash, null, [settlement(1)]).header;
  const proposal = { final, certificate: await signing.certificate(final) };
  const after = (committee: Committee) => blockOf(committeeHash(committee), final, [settlement(2)]).header;
  const heard = (hash: Hash) => Array.from({ length: QUORUM }, (_, number) => [number, hash] as const);
  kept.meets(three);
  kept.keepVote(committeeHash(three), { height: 1, hash: blockHash(final) });
  const block = after(two);
  await host.consider(two, null, { ...proposal, chain: [block] });
  await expect(host.endRound(two, 0, heard(blockHash(block)))).rejects.toThrow('voted in a later epoch');
  const next = after(three);
  await host.consider(three, null, { ...proposal, chain: [next] });
  expect((await host.endRound(three, 0, heard(blockHash(next)))).vote).toMatchObject({ height: 2 });
});

test('a member builds on the block of its last vote without a certificate, which it needs for every other, and never beside that vote', async () => {
  const host = new MemberHost(memory(), NO_CHECKPOINTS);
  const committee = await committeeWith(host, 1);
  const hash = committeeHash(committee);
  const [first, beside] = [blockOf(hash, null, [settlement(1)]).header, blockOf(hash, null, [settlement(2)]).header];
  const second = blockOf(hash, first, [settlement(3)]).header;
  const consider = (final: typeof first | null, chain: readonly (typeof first)[]) =>
    host.consider(committee, null, { final, certificate: null, chain });
  const vote = async (block: typeof first) => {
    const heard = Array.from({ length: QUORUM }, (_, number) => [number, blockHash(block)] as const);
    return (await host.endRound(committee, 0, heard)).vote;
  };
  expect(await consider(first, [second])).toBeNull();
  await consider(null, [first]);
  expect(await vote(first)).toMatchObject({ height: 1 });
  // The sequencer says that these are final, and shows nothing: the member goes on from its own vote alone.
  expect(await consider(beside, [blockOf(hash, beside, [settlement(3)]).header])).toBeNull();
  expect(await consider({ ...first, slot: first.slot + 1 }, [second])).toBeNull();
  expect(await consider(null, [beside])).toBeNull();
  expect(await consider(first, [second])).toBe(blockHash(second));
  expect(await vote(second)).toMatchObject({ height: 2, hash: blockHash(second) });
  expect(await consider(first, [blockOf(hash, first, [settlement(4)]).header])).toBeNull();
  expect(await consider(null, [first, second])).toBe(blockHash(second));
});

/** Twenty members that follow every rule, and a sequencer with keys of its own that fills committees with them. */
class Committees {
  readonly hosts = Array.from(
    { length: COMMITTEE_SIZE },
    (_, number) => new MemberHost(memory(number), NO_CHECKPOINTS),
  );
  readonly #invented: readonly MemberKey[];

  private constructor(invented: readonly MemberKey[]) {
    this.#invented = invented;
  }

  static async of(): Promise<Committees> {
    const secrets = Array.from({ length: COMMITTEE_SIZE }, (_, number) => new Uint8Array(32).fill(201 + number));
    return new Committees(await Promise.all(secrets.map(memberKey)));
  }

  /** The first members are true ones, the last so many invented. */
  async committee(epoch: number, invented = 0): Promise<Committee> {
    const own = await Promise.all(this.hosts.slice(invented).map((_, member) => this.hosts[member]?.publicKey(epoch)));
    const keys = this.#invented.slice(0, invented).map(({ publicKey }) => publicKey);
    return { epoch, keys: [...own.map((key) => key ?? ''), ...keys] };
  }

  /** Has members vote on what follows a block. @returns who of the true ones does, and the votes with those of the invented ones */
  async vote(
    committee: Committee,
    { final, certificate }: { final: BlockHeader | null; certificate: QuorumCertificate | null },
    block: BlockHeader,
    { invented = 0, away = [] }: { invented?: number; away?: readonly number[] } = {},
  ): Promise<{ voters: number[]; certificate: QuorumCertificate }> {
    const hash = blockHash(block);
    const heard = Array.from({ length: QUORUM }, (_, number) => [number, hash] as const);
    const votes: { member: number; signature: string }[] = [];
    for (const [member, host] of this.hosts.slice(0, COMMITTEE_SIZE - invented).entries()) {
      if (away.includes(member)) continue;
      await host.consider(committee, null, { final, certificate, chain: [block] });
      const { vote } = await host.endRound(committee, 0, heard);
      if (vote !== null) votes.push({ member, signature: vote.signature });
    }
    const voters = votes.map(({ member }) => member);
    const message = voteMessage(committeeHash(committee), block.height, hash);
    for (const [number, key] of this.#invented.slice(0, invented).entries())
      votes.push({ member: COMMITTEE_SIZE - invented + number, signature: await key.sign(message) });
    return { voters, certificate: { height: block.height, hash, votes } };
  }

  /** What members sign of the next committee. */
  async named(before: Committee, next: Committee, signers = COMMITTEE_SIZE): Promise<PublishedCommittee> {
    const signed = this.hosts.slice(0, signers).map((host) => host.signHandover(before, next));
    const signatures = (await Promise.all(signed)).map((signature, member) => ({ member, signature }));
    return { ...next, handover: { before: committeeHash(before), signatures } };
  }
}

const FIRST = { final: null, certificate: null };

test('a sequencer that fills committees with invented members, fewer in each epoch, moves no member off a final block', async () => {
  const all = await Committees.of();
  const first = await all.committee(1);
  const block = blockOf(committeeHash(first), null, [settlement(1)]).header;
  expect((await all.vote(first, FIRST, block)).voters).toHaveLength(COMMITTEE_SIZE);
  let shown: Parameters<Committees['vote']>[1] = FIRST;
  const moved: number[] = [];
  for (const [step, invented] of [16, 12, 8, 4, 0].entries()) {
    const committee = await all.committee(2 + step, invented);
    const beside = blockOf(committeeHash(committee), shown.final, [settlement(2 + step)]).header;
    const { voters, certificate } = await all.vote(committee, shown, beside, { invented });
    moved.push(voters.length);
    shown = { final: beside, certificate };
  }
  expect(moved).toEqual([0, 0, 0, 0, 0]);
});

test('a member goes on from its last vote in a committee that nobody has named, and no certificate of that frees it', async () => {
  const all = await Committees.of();
  const [first, made] = [await all.committee(1), await all.committee(2, 16)];
  const block = blockOf(committeeHash(first), null, [settlement(1)]).header;
  const { certificate } = await all.vote(first, FIRST, block);
  const onIt = (number: number) => blockOf(committeeHash(made), block, [settlement(number)]).header;
  const [next, beside] = [onIt(2), onIt(3)];
  const proved = { final: block, certificate };
  expect((await all.vote(made, proved, next, { invented: 16 })).voters).toEqual([0, 1, 2, 3]);
  const other = await all.vote(made, proved, beside, { invented: 16 });
  expect(other.voters).toEqual([]);
  const after = blockOf(committeeHash(made), beside, [settlement(4)]).header;
  const onOther = { final: beside, certificate: other.certificate };
  expect((await all.vote(made, onOther, after, { invented: 16 })).voters).toEqual([]);
});

test('a member that was away over changes of the epoch comes back by the handovers, and by no other word', async () => {
  const all = await Committees.of();
  const [one, two, three] = [await all.committee(1), await all.committee(2), await all.committee(3)];
  const block = blockOf(committeeHash(one), null, [settlement(1)]).header;
  const { certificate } = await all.vote(one, FIRST, block);
  const second = blockOf(committeeHash(two), block, [settlement(2)]).header;
  const inTwo = await all.vote(two, { final: block, certificate }, second, { away: [19] });
  const third = blockOf(committeeHash(three), second, [settlement(3)]).header;
  const inThree = await all.vote(three, { final: second, certificate: inTwo.certificate }, third, { away: [19] });
  expect([inTwo.voters.length, inThree.voters.length]).toEqual([19, 19]);
  const fourth = blockOf(committeeHash(three), third, [settlement(4)]).header;
  const proposal = { final: third, certificate: inThree.certificate, chain: [fourth] };
  const consider = async (shown?: readonly PublishedCommittee[]) =>
    all.hosts[19]?.consider(three, null, proposal, shown);
  const start = { ...one, handover: null };
  const [toTwo, toThree] = [await all.named(one, two), await all.named(two, three)];
  expect(await consider()).toBeNull();
  expect(await consider([start, { ...two, handover: null }, toThree])).toBeNull();
  expect(await consider([start, await all.named(one, two, 15), toThree])).toBeNull();
  await expect(consider(Array.from({ length: 9 }, () => start))).rejects.toThrow('more than 8 committees');
  expect(await consider([start, toTwo, toThree])).toBe(blockHash(fourth));
  // It has kept that.
  expect(await consider()).toBe(blockHash(fourth));
});
