import { expect, test } from 'vitest';
import { type BlockHeader, blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import type { QuorumCertificate } from './certificate.ts';
import { blockOf, SigningCommittee, settlement } from './chain.fixtures.ts';
import { COMMITTEE_SIZE, type Committee, committeeHash, EPOCHS_AHEAD_MAX, QUORUM } from './committee.ts';
import { type MemberKey, memberKey, verifyEd25519 } from './ed25519.ts';
import { handoverMessage, type PublishedCommittee, type Successor, successorMessage } from './handover.ts';
import { DECISION_HEADERS_MAX } from './member.ts';
import {
  type BelievedCommittee,
  type CommitteeVote,
  FIRST_EPOCHS_MAX,
  MemberHost,
  type MemberMemory,
  type NamedCommittee,
} from './member-host.ts';
import { voteMessage } from './vote.ts';

/** A memory without checkpoints. */
function memory(number = 0): MemberMemory {
  const believed: BelievedCommittee[] = [];
  const committees = new Map<number, Committee>();
  const votes = new Map<Hash, CommitteeVote>();
  const seeds = new Map<number, Uint8Array>();
  const named = new Map<string, NamedCommittee>();
  return {
    seed: (epoch) => seeds.get(epoch) ?? null,
    makeSeed: (epoch) => {
      const seed = new Uint8Array(32).fill(100 + epoch).fill(number, 0, 1);
      seeds.set(epoch, seed);
      return seed;
    },
    get seeds() {
      return seeds.size;
    },
    meets: (committee) => {
      const known = committees.get(committee.epoch) ?? committee;
      committees.set(committee.epoch, known);
      return committeeHash(known) === committeeHash(committee);
    },
    believe: (step) => {
      const at = believed.findIndex(({ committee }) => committeeHash(committee) === committeeHash(step.committee));
      believed.splice(at === -1 ? believed.length : at, 1, step);
    },
    believed: () => believed,
    keepNamed: (step) => {
      const key = step.before + step.next;
      named.set(key, { ...step, at: Math.min(step.at, named.get(key)?.at ?? step.at) });
    },
    namedAfter: (before) => [...named.values()].filter((step) => step.before === before),
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

const NO_CHECKPOINTS = () => {
  throw new Error('no checkpoints here');
};
const DAY_MS = 86_400_000;
/** Of all members here. */
let now = 0;

function hostOf(kept = memory()): MemberHost {
  return new MemberHost(kept, NO_CHECKPOINTS, () => now);
}

const heardOf = (block: BlockHeader) =>
  Array.from({ length: QUORUM }, (_, number) => [number, blockHash(block)] as const);

test('calls that come together find a member in one seat: it votes for what it has considered', async () => {
  const host = hostOf();
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
  const host = hostOf();
  const { committee: others } = await SigningCommittee.of();
  await expect(host.endRound(others, 0, [])).rejects.toThrow('not of the committee');
  await expect(host.endRound(others, 0, [])).rejects.toThrow('not of the committee');
  const committee = { ...others, keys: others.keys.with(5, await host.publicKey(1)) };
  expect(await host.endRound(committee, 0, [])).toEqual({ preferred: null, vote: null });
});

/** A committee of an epoch whose first member this is, and others of which nobody knows the keys. */
async function committeeWith(host: MemberHost, epoch: number, firstByte = epoch * 20 + 1): Promise<Committee> {
  const { committee } = await SigningCommittee.of(firstByte, epoch);
  return { epoch, keys: committee.keys.with(0, await host.publicKey(epoch)) };
}

/** The first vote of a member, with which it believes the committee. */
async function firstVote(host: MemberHost, committee: Committee): Promise<BlockHeader> {
  const block = blockOf(committeeHash(committee), null, [settlement(1)]).header;
  await host.consider(committee, null, { final: null, certificate: null, chain: [block] });
  expect((await host.endRound(committee, 0, heardOf(block))).vote).not.toBeNull();
  return block;
}

/** Who of the others that `committeeWith` puts into two committees goes on, and the member itself. */
async function successorsOf(
  host: MemberHost,
  [before, firstByte = before.epoch * 20 + 1]: readonly [Committee, number?],
  [next, nextByte = next.epoch * 20 + 1]: readonly [Committee, number?],
  members = Array.from({ length: QUORUM - 1 }, (_, at) => at + 1),
): Promise<Successor[]> {
  const [from, to] = [await SigningCommittee.of(firstByte), await SigningCommittee.of(nextByte)];
  const others = members.map(async (member) => {
    const [key, later] = [from.keys[member], to.keys[member]];
    if (key === undefined || later === undefined) throw new Error('no such member');
    return signedSuccessor(before, next.epoch, { member, key, later });
  });
  return [{ member: 0, ...(await host.signSuccessor(before, next.epoch)) }, ...(await Promise.all(others))];
}

async function signedSuccessor(
  before: Committee,
  epoch: number,
  { member, key, later }: { readonly member: number; readonly key: MemberKey; readonly later: MemberKey },
): Promise<Successor> {
  const keys = { from: key.publicKey, to: later.publicKey };
  const message = successorMessage(committeeHash(before), epoch, keys);
  return { member, key: later.publicKey, signature: await key.sign(message), proof: await later.sign(message) };
}

test('B-12: a member names committees of later epochs that have its own key of their epoch, one an epoch, and the same one again', async () => {
  const host = hostOf();
  const committee = await committeeWith(host, 1);
  const [next, another, later] = [
    await committeeWith(host, 2),
    await committeeWith(host, 2, 81),
    await committeeWith(host, 3),
  ];
  const [toNext, toAnother, toLater] = [
    await successorsOf(host, [committee], [next]),
    await successorsOf(host, [committee], [another, 81]),
    await successorsOf(host, [committee], [later]),
  ];
  const [key = ''] = committee.keys;
  const isNamed = async (by: Committee, named: Committee, signature: string) =>
    verifyEd25519(by.keys[0] ?? '', handoverMessage(committeeHash(by), committeeHash(named)), signature);
  await expect(host.signHandover(committee, next, toNext)).rejects.toThrow('does not believe');
  await firstVote(host, committee);
  const signature = await host.signHandover(committee, next, toNext);
  expect(await isNamed(committee, next, signature)).toBe(true);
  expect(await host.signHandover(committee, next, toNext)).toBe(signature);
  await expect(host.signHandover(committee, another, toAnother)).rejects.toThrow('may have 0');
  now += 7.01 * DAY_MS;
  await expect(host.signHandover(committee, another, toAnother)).rejects.toThrow('another committee of epoch 2');
  await expect(host.signHandover(committee, { ...next, epoch: 1 }, toNext)).rejects.toThrow('not later');
  await expect(host.signHandover(committee, { ...next, keys: [] }, toNext)).rejects.toThrow('no committee');
  // Who keeps a made-up committee of an epoch from being another's takes that epoch alone.
  expect(await isNamed(committee, later, await host.signHandover(committee, later, toLater))).toBe(true);
  const stranger = (await SigningCommittee.of(101, 4)).committee;
  for (const made of [stranger, { ...stranger, keys: stranger.keys.with(0, key) }])
    await expect(host.signHandover(committee, made, [])).rejects.toThrow('not of the next committee');
  await expect(host.signHandover(stranger, { ...next, epoch: 5 }, [])).rejects.toThrow('not of the committee');
});

test('a member names a committee where 16 of the one before show that they go on in it, each by both of its keys', async () => {
  const host = hostOf();
  const [committee, next] = [await committeeWith(host, 1), await committeeWith(host, 2)];
  await firstVote(host, committee);
  const successors = await successorsOf(host, [committee], [next]);
  const name = (shown: readonly Successor[]) => host.signHandover(committee, next, shown);
  const [own, first, second] = successors;
  if (own === undefined || first === undefined || second === undefined) throw new Error('no successors');
  await expect(name(successors.slice(0, -1))).rejects.toThrow('it has 5 members of whom no committee before knows');
  await expect(name([own, second, first, ...successors.slice(3)])).rejects.toThrow('no order');
  await expect(name([...successors.slice(0, -1), { ...first, member: 20 }])).rejects.toThrow('no member 20');
  // A liar passes a stranger's key for its own, or another member's.
  const last = successors.at(-1) ?? own;
  const without = successors.slice(0, -1);
  for (const made of [
    { ...last, signature: first.signature },
    { ...last, proof: last.signature },
    { ...first, member: last.member },
    { ...last, key: 'a'.repeat(64) },
  ])
    await expect(name([...without, made])).rejects.toThrow(`the successor of member ${last.member} is not`);
  const [key, later] = [(await SigningCommittee.of(21)).keys[last.member], (await SigningCommittee.of(41)).keys[1]];
  if (key === undefined || later === undefined) throw new Error('no keys');
  const shared = await signedSuccessor(committee, next.epoch, { member: last.member, key, later });
  await expect(name([...without, shared])).rejects.toThrow('it has 5 members');
  await name(successors);
});

test('a member stands by its vote in every committee of a later epoch, and votes in none of an earlier one again, however calls cross', async () => {
  const host = hostOf();
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
  const host = hostOf(kept);
  const signing = await SigningCommittee.of(201, 1);
  const [two, three] = [await committeeWith(host, 2), await committeeWith(host, 3)];
  const final = blockOf(signing.hash, null, [settlement(1)]).header;
  const proposal = { final, certificate: await signing.certificate(final) };
  const after = (committee: Committee) => blockOf(committeeHash(committee), final, [settlement(2)]).header;
  for (const committee of [signing.committee, two, three]) kept.believe({ committee, before: null, at: 0 });
  kept.meets(three);
  kept.keepVote(committeeHash(three), { height: 1, hash: blockHash(final) });
  const block = after(two);
  await host.consider(two, null, { ...proposal, chain: [block] });
  await expect(host.endRound(two, 0, heardOf(block))).rejects.toThrow('voted in a later epoch');
  expect(await host.wouldVote(two, final, signing.committee, [])).toBe(false);
  expect(await host.wouldVote(three, final, signing.committee, [])).toBe(true);
  const next = after(three);
  await host.consider(three, null, { ...proposal, chain: [next] });
  expect((await host.endRound(three, 0, heardOf(next))).vote).toMatchObject({ height: 2 });
});

test('a member builds on the block of its last vote without a certificate, which it needs for every other, and never beside that vote', async () => {
  const host = hostOf();
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
  readonly hosts = Array.from({ length: COMMITTEE_SIZE }, (_, number) => hostOf(memory(number)));
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
    {
      invented = 0,
      away = [],
      shown = [],
      chain = [block],
    }: {
      invented?: number;
      away?: readonly number[];
      shown?: readonly PublishedCommittee[];
      chain?: readonly BlockHeader[];
    } = {},
  ): Promise<{ voters: number[]; certificate: QuorumCertificate }> {
    const hash = blockHash(block);
    const heard = Array.from({ length: QUORUM }, (_, number) => [number, hash] as const);
    const votes: { member: number; signature: string }[] = [];
    for (const [member, host] of this.hosts.slice(0, COMMITTEE_SIZE - invented).entries()) {
      if (away.includes(member)) continue;
      await host.consider(committee, null, { final, certificate, chain }, shown);
      const { vote } = await host.endRound(committee, 0, heard);
      if (vote !== null) votes.push({ member, signature: vote.signature });
    }
    const voters = votes.map(({ member }) => member);
    const message = voteMessage(committeeHash(committee), block.height, hash);
    for (const [number, key] of this.#invented.slice(0, invented).entries())
      votes.push({ member: COMMITTEE_SIZE - invented + number, signature: await key.sign(message) });
    return { voters, certificate: { height: block.height, hash, votes } };
  }

  /** What true members, and the invented ones at the end of both committees, say of who goes on in the next committee. */
  async successors(before: Committee, next: Committee): Promise<Successor[]> {
    const told = before.keys.map(async (from, member): Promise<Successor[]> => {
      const key = this.#invented.find(({ publicKey }) => publicKey === from);
      const own = async () =>
        key === undefined
          ? { member, ...(await this.hosts[member]?.signSuccessor(before, next.epoch)) }
          : signedSuccessor(before, next.epoch, { member, key, later: key });
      const successor = (await own()) as Successor;
      return next.keys.includes(successor.key) ? [successor] : [];
    });
    return (await Promise.all(told)).flat();
  }

  /** What members sign of the next committee, the invented ones with them. */
  async named(before: Committee, next: Committee, signers = COMMITTEE_SIZE): Promise<PublishedCommittee> {
    const successors = await this.successors(before, next);
    const message = handoverMessage(committeeHash(before), committeeHash(next));
    const signed = before.keys.slice(0, signers).map(async (from, member) => {
      const key = this.#invented.find(({ publicKey }) => publicKey === from);
      const asked = key?.sign(message) ?? this.hosts[member]?.signHandover(before, next, successors);
      const signature = await asked?.catch(() => null);
      return signature == null ? [] : [{ member, signature }];
    });
    const signatures = (await Promise.all(signed)).flat();
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

test('a member that has voted takes no part in a committee that nobody has named, and one that was named comes back to nothing beside its vote', async () => {
  const all = await Committees.of();
  const [first, made, next] = [await all.committee(1), await all.committee(2, 16), await all.committee(3, 4)];
  const block = blockOf(committeeHash(first), null, [settlement(1)]).header;
  const { certificate } = await all.vote(first, FIRST, block);
  const proved = { final: block, certificate };
  const onIt = (committee: Committee, number: number) =>
    blockOf(committeeHash(committee), block, [settlement(number)]).header;
  expect((await all.vote(made, proved, onIt(made, 2), { invented: 16 })).voters).toEqual([]);
  const start = { ...first, handover: null };
  const shown = [start, await all.named(first, next)];
  expect(shown[1]?.handover?.signatures).toHaveLength(QUORUM);
  expect((await all.vote(next, proved, onIt(next, 3), { invented: 4, shown })).voters).toHaveLength(QUORUM);
  expect((await all.vote(next, proved, onIt(next, 4), { invented: 4, shown })).voters).toEqual([]);
});

test('a first vote that is given while a committee that nobody has named is considered leaves that one none', async () => {
  const all = await Committees.of();
  const [one, two] = [await all.committee(1), await all.committee(2)];
  const block = blockOf(committeeHash(one), null, [settlement(1)]).header;
  const { certificate } = await all.vote(one, FIRST, block, { away: [19] });
  const late = all.hosts[19] ?? hostOf();
  await late.consider(one, null, { ...FIRST, chain: [block] });
  const next = blockOf(committeeHash(two), block, [settlement(2)]).header;
  const proposal = { final: block, certificate, chain: [next] };
  expect(await late.consider(two, one, proposal)).toBe(blockHash(next));
  const considered = late.consider(two, one, proposal);
  expect((await late.endRound(one, 0, heardOf(block))).vote).toMatchObject({ height: 1 });
  await considered;
  await expect(late.endRound(two, 0, heardOf(next))).rejects.toThrow('does not believe the committee');
});

test('a member that was away over changes of the epoch comes back by the handovers, and by no other word', async () => {
  const all = await Committees.of();
  const [one, two, three] = [await all.committee(1), await all.committee(2), await all.committee(3)];
  const start = { ...one, handover: null };
  const block = blockOf(committeeHash(one), null, [settlement(1)]).header;
  const { certificate } = await all.vote(one, FIRST, block);
  const toTwo = await all.named(one, two);
  const second = blockOf(committeeHash(two), block, [settlement(2)]).header;
  const away = { away: [19] };
  const inTwo = await all.vote(two, { final: block, certificate }, second, { ...away, shown: [start, toTwo] });
  const toThree = await all.named(two, three);
  expect(toThree.handover?.signatures).toHaveLength(19);
  const third = blockOf(committeeHash(three), second, [settlement(3)]).header;
  const onSecond = { final: second, certificate: inTwo.certificate };
  const inThree = await all.vote(three, onSecond, third, { ...away, shown: [start, toTwo, toThree] });
  expect([inTwo.voters.length, inThree.voters.length]).toEqual([19, 19]);
  const fourth = blockOf(committeeHash(three), third, [settlement(4)]).header;
  const proposal = { final: third, certificate: inThree.certificate, chain: [fourth] };
  const consider = async (shown?: readonly PublishedCommittee[]) =>
    all.hosts[19]?.consider(three, null, proposal, shown);
  const fewer = { ...toTwo, handover: { before: committeeHash(one), signatures: [] } };
  expect(await consider()).toBeNull();
  expect(await all.hosts[19]?.wouldVote(three, third, null, [])).toBe(false);
  expect(await consider([start, { ...two, handover: null }, toThree])).toBeNull();
  expect(await consider([start, fewer, toThree])).toBeNull();
  await expect(consider(Array.from({ length: 9 }, () => start))).rejects.toThrow('more than 8 committees');
  expect(await all.hosts[19]?.wouldVote(three, third, null, [start, toTwo, toThree])).toBe(true);
  expect(await consider([start, toTwo, toThree])).toBe(blockHash(fourth));
  // It has kept that.
  expect(await consider()).toBe(blockHash(fourth));
  // Others have made the last block final, whom nobody has named.
  const elsewhere = blockOf('a'.repeat(64), third, [settlement(5)]).header;
  expect(await all.hosts[19]?.wouldVote(three, elsewhere, null, [])).toBe(false);
});

test('whoever forms committees brings in four strangers in seven days, however many committees that takes', async () => {
  now = 0;
  const all = await Committees.of();
  const committees = await Promise.all([1, 2, 3, 4].map((epoch) => all.committee(epoch, 4 * (epoch - 1))));
  const [one, two, three] = committees;
  if (one === undefined || two === undefined || three === undefined) throw new Error('no committees');
  const block = blockOf(committeeHash(one), null, [settlement(1)]).header;
  const { certificate } = await all.vote(one, FIRST, block);
  const start = { ...one, handover: null };
  const toTwo = await all.named(one, two);
  expect(toTwo.handover?.signatures).toHaveLength(QUORUM);
  const shown = [start, toTwo];
  const second = blockOf(committeeHash(two), block, [settlement(2)]).header;
  await all.vote(two, { final: block, certificate }, second, { invented: 4, shown });
  // The four sign whatever suits; the sixteen do not, whether the next committee is of this epoch's successor or of a later one.
  for (const days of [0, 3, 3.99]) {
    now += days * DAY_MS;
    expect((await all.named(two, three)).handover?.signatures.map(({ member }) => member)).toEqual([16, 17, 18, 19]);
  }
  const same = await all.committee(4, 4);
  expect((await all.named(two, same)).handover?.signatures).toHaveLength(COMMITTEE_SIZE);
  now += 0.02 * DAY_MS;
  expect((await all.named(two, three)).handover?.signatures).toHaveLength(QUORUM);
});

test('a committee that was named long before, and put aside, counts from the first vote in it, and names nobody once another is voted in', async () => {
  now = 0;
  const all = await Committees.of();
  const [one, aside, two] = [await all.committee(1), await all.committee(3, 4), await all.committee(2)];
  const block = blockOf(committeeHash(one), null, [settlement(1)]).header;
  const { certificate } = await all.vote(one, FIRST, block);
  const shown = [{ ...one, handover: null }, await all.named(one, two), await all.named(one, aside)];
  const second = blockOf(committeeHash(two), block, [settlement(2)]).header;
  const inTwo = await all.vote(two, { final: block, certificate }, second, { shown });
  // From the one before they name nobody any more.
  expect((await all.named(one, await all.committee(5, 1))).handover?.signatures).toEqual([]);
  now += 30 * DAY_MS;
  const third = blockOf(committeeHash(aside), second, [settlement(3)]).header;
  const onSecond = { final: second, certificate: inTwo.certificate };
  expect((await all.vote(aside, onSecond, third, { invented: 4, shown })).voters).toHaveLength(QUORUM);
  const next = await all.committee(4, 8);
  expect((await all.named(aside, next)).handover?.signatures.map(({ member }) => member)).toEqual([16, 17, 18, 19]);
  now += 7.01 * DAY_MS;
  expect((await all.named(aside, next)).handover?.signatures).toHaveLength(QUORUM);
});

test('a committee that others have named counts for as many strangers as it may have', async () => {
  now = 0;
  const all = await Committees.of();
  const [one, two, three] = [await all.committee(1), await all.committee(2), await all.committee(3, 1)];
  const block = blockOf(committeeHash(one), null, [settlement(1)]).header;
  const { certificate } = await all.vote(one, FIRST, block);
  // The first three were not asked.
  const successors = await all.successors(one, two);
  const named = (await all.named(one, two)).handover?.signatures.slice(3) ?? [];
  const fresh = await Committees.of();
  await fresh.vote(await fresh.committee(1), FIRST, block);
  expect(successors).toHaveLength(COMMITTEE_SIZE);
  const shown = [
    { ...one, handover: null },
    { ...two, handover: { before: committeeHash(one), signatures: named } },
  ];
  const second = blockOf(committeeHash(two), block, [settlement(2)]).header;
  const proposal = { final: block, certificate, chain: [second] };
  const late = fresh.hosts[0];
  expect(await late?.consider(two, null, proposal, shown)).toBe(blockHash(second));
  const goOn = await fresh.successors(two, three);
  await expect(late?.signHandover(two, three, goOn)).rejects.toThrow('of another epoch');
  expect((await late?.endRound(two, 0, heardOf(second)))?.vote).toMatchObject({ height: 2 });
  await expect(late?.signHandover(two, three, goOn)).rejects.toThrow('may have 0');
  now += 8 * DAY_MS;
  expect(await late?.signHandover(two, three, goOn)).toHaveLength(128);
});

/** Has all true members vote in a first committee. */
async function begun(all: Committees) {
  const one = await all.committee(1);
  const block = blockOf(committeeHash(one), null, [settlement(1)]).header;
  const { certificate } = await all.vote(one, FIRST, block);
  return { one, start: { ...one, handover: null }, block, proved: { final: block, certificate } };
}

test('a committee of an earlier epoch frees a member from no vote of a later one: who has its keys by then moves nobody', async () => {
  const all = await Committees.of();
  const seed = await SigningCommittee.of(41, 1);
  const committee = await all.committee(2);
  const final = blockOf(seed.hash, null, [settlement(1)]).header;
  const certificate = await seed.certificate(final);
  const follows = (on: BlockHeader, number: number) =>
    blockOf(committeeHash(committee), on, [settlement(number)]).header;
  const block = follows(final, 2);
  const host = all.hosts[0];
  const consider = (on: BlockHeader, proof: QuorumCertificate | null, next: BlockHeader) =>
    host?.consider(committee, seed.committee, { final: on, certificate: proof, chain: [next] });
  expect(await consider(final, certificate, block)).toBe(blockHash(block));
  expect((await host?.endRound(committee, 0, heardOf(block)))?.vote).toMatchObject({ height: 2 });
  for (const on of [block, follows(block, 3)]) {
    const madeUp = { ...on, committee: seed.hash, slot: on.slot + 1 };
    const proof = await seed.certificate(madeUp);
    expect(await consider(madeUp, proof, follows(madeUp, 4))).toBeNull();
    expect(await host?.wouldVote(committee, madeUp, null, [])).toBe(false);
  }
  expect(await consider(final, certificate, block)).toBe(blockHash(block));
  expect(await host?.wouldVote(committee, final, null, [])).toBe(true);
});

test('strangers of a committee that two have named are those to the one that it is believed by', async () => {
  now = 0;
  const all = await Committees.of();
  const { one, start, block, proved } = await begun(all);
  const [two, same, more] = [await all.committee(2, 4), await all.committee(4, 4), await all.committee(5, 8)];
  const toTwo = await all.named(one, two);
  now += 7.01 * DAY_MS;
  const toSame = await all.named(one, same);
  expect(toSame.handover?.signatures).toHaveLength(QUORUM);
  const second = blockOf(committeeHash(two), block, [settlement(2)]).header;
  const inTwo = await all.vote(two, proved, second, { invented: 4, shown: [start, toTwo] });
  expect((await all.named(two, same)).handover?.signatures).toHaveLength(COMMITTEE_SIZE);
  const third = blockOf(committeeHash(same), second, [settlement(3)]).header;
  const onSecond = { final: second, certificate: inTwo.certificate };
  const inSame = await all.vote(same, onSecond, third, { invented: 4, shown: [start, toSame] });
  expect(inSame.voters).toHaveLength(QUORUM);
  expect((await all.named(same, more)).handover?.signatures.map(({ member }) => member)).toEqual([16, 17, 18, 19]);
});

test('a member names a committee after one alone in which it has its last vote, however long it has believed that', async () => {
  now = 0;
  const all = await Committees.of();
  const { one, start, block, proved } = await begun(all);
  const [two, three] = [await all.committee(2), await all.committee(3, 4)];
  const shown = [start, await all.named(one, two)];
  for (const host of all.hosts) expect(await host.wouldVote(two, block, null, shown)).toBe(true);
  now += 7.01 * DAY_MS;
  expect((await all.named(two, three)).handover?.signatures).toEqual([]);
  const second = blockOf(committeeHash(two), block, [settlement(2)]).header;
  await all.vote(two, proved, second, { shown });
  expect((await all.named(two, three)).handover?.signatures).toHaveLength(QUORUM);
});

test('a committee that a member was away in counts from its first vote in one after that', async () => {
  now = 0;
  const all = await Committees.of();
  const { one, start, block, proved } = await begun(all);
  const [two, three, four] = [await all.committee(2, 4), await all.committee(3, 4), await all.committee(4, 8)];
  const shown = [start, await all.named(one, two)];
  expect(await all.hosts[0]?.wouldVote(two, block, null, shown)).toBe(true);
  now += 30 * DAY_MS;
  const second = blockOf(committeeHash(two), block, [settlement(2)]).header;
  const inTwo = await all.vote(two, proved, second, { invented: 4, shown, away: [0] });
  const onSecond = { final: second, certificate: inTwo.certificate };
  const third = blockOf(committeeHash(three), second, [settlement(3)]).header;
  const toThree = await all.named(two, three);
  expect((await all.vote(three, onSecond, third, { invented: 4, shown: [...shown, toThree] })).voters[0]).toBe(0);
  expect((await all.named(three, four)).handover?.signatures.map(({ member }) => member)).toEqual([16, 17, 18, 19]);
});

test('committees beside one another bring in four strangers in seven days together, and the same one again brings in none', async () => {
  now = 0;
  const all = await Committees.of();
  const { one } = await begun(all);
  const [two, three, four] = [await all.committee(2, 3), await all.committee(3, 1), await all.committee(4, 1)];
  const signers = async (next: Committee) => (await all.named(one, next)).handover?.signatures.length;
  expect(await signers(two)).toBe(17);
  expect(await signers(three)).toBe(19);
  // Two that are not of the first have not named it.
  expect(await signers(four)).toBe(2);
  now += 6 * DAY_MS;
  expect([await signers(two), await signers(four)]).toEqual([17, 2]);
  now += 1.01 * DAY_MS;
  expect(await signers(four)).toBe(19);
});

test('what a clock that was ahead has dated counts for seven days from when it is right', async () => {
  now = 400 * DAY_MS;
  const all = await Committees.of();
  const { one, start, block, proved } = await begun(all);
  const [two, beside, three] = [await all.committee(2, 4), await all.committee(3, 4), await all.committee(4, 8)];
  const toTwo = await all.named(one, two);
  now = 0;
  expect((await all.named(one, beside)).handover?.signatures).toEqual([]);
  now += 7.01 * DAY_MS;
  expect((await all.named(one, beside)).handover?.signatures).toHaveLength(QUORUM);
  now = 400 * DAY_MS;
  const second = blockOf(committeeHash(two), block, [settlement(2)]).header;
  await all.vote(two, proved, second, { invented: 4, shown: [start, toTwo] });
  now = 10 * DAY_MS;
  expect((await all.named(two, three)).handover?.signatures).toHaveLength(4);
  now += 7.01 * DAY_MS;
  expect((await all.named(two, three)).handover?.signatures).toHaveLength(QUORUM);
});

test('whoever can ask a member takes neither its later epochs nor its memory', async () => {
  const kept = memory();
  const host = hostOf(kept);
  for (let epoch = 1; epoch <= FIRST_EPOCHS_MAX; epoch++) await host.publicKey(1_000 * epoch);
  await expect(host.publicKey(7)).rejects.toThrow('has never voted');
  const committee = await committeeWith(host, 1_000);
  await firstVote(host, committee);
  await expect(host.publicKey(1_000 + EPOCHS_AHEAD_MAX + 1)).rejects.toThrow('ahead');
  expect(await host.publicKey(1_000 + EPOCHS_AHEAD_MAX)).toHaveLength(64);
  expect(kept.seeds).toBe(FIRST_EPOCHS_MAX + 1);
  // Keys of far epochs that it made before its first vote name no committee, and get no vote.
  const far = await committeeWith(host, 128_000, 41);
  const block = blockOf(committeeHash(far), null, [settlement(1)]).header;
  expect(await host.consider(far, committee, { final: null, certificate: null, chain: [block] })).toBeNull();
  const toFar = await successorsOf(host, [committee, 1_000 * 20 + 1], [far, 41]);
  await expect(host.signHandover(committee, far, toFar)).rejects.toThrow('more than 100 later');
});

test('a member that has never voted takes no part in a committee too far above the one before', async () => {
  const host = hostOf();
  const { committee: before } = await SigningCommittee.of(201, 1);
  for (const [epoch, isWilling] of [
    [1 + EPOCHS_AHEAD_MAX, true],
    [2 + EPOCHS_AHEAD_MAX, false],
  ] as const) {
    const committee = await committeeWith(host, epoch, 61);
    expect(await host.wouldVote(committee, null, before, [])).toBe(isWilling);
  }
});

test('whoever can ask a member leads it one decision away from what is proved, and the chain takes it back', async () => {
  const host = hostOf();
  const all = await Committees.of();
  all.hosts[0] = host;
  const committee = await all.committee(1);
  const chainOf = (final: BlockHeader | null, count: number, number: number) => {
    const chain: BlockHeader[] = [];
    for (let at = 0; at < count; at++)
      chain.push(blockOf(committeeHash(committee), chain.at(-1) ?? final, [settlement(number)]).header);
    return chain;
  };
  const first = chainOf(null, 1, 1);
  const [block] = first;
  if (block === undefined) throw new Error('no block');
  const { certificate } = await all.vote(committee, FIRST, block);
  const lead = async (final: BlockHeader, chain: BlockHeader[]) => {
    await host.consider(committee, null, { final, certificate: null, chain });
    const tip = chain.at(-1);
    return tip === undefined ? null : (await host.endRound(committee, 0, heardOf(tip))).vote;
  };
  const madeUp = chainOf(block, DECISION_HEADERS_MAX - 1, 7);
  expect(await lead(block, madeUp)).toMatchObject({ height: DECISION_HEADERS_MAX });
  const [top = block] = madeUp.slice(-1);
  expect(await lead(top, chainOf(top, 1, 8))).toBeNull();
  // The others go on, and once they are as high it builds on what they have made final.
  const onward = chainOf(block, DECISION_HEADERS_MAX - 1, 2);
  const [tip = block] = onward.slice(-1);
  const votes = await all.vote(committee, { final: block, certificate }, tip, { chain: onward, away: [0] });
  const next = chainOf(tip, 1, 3);
  const proposal = { final: tip, certificate: votes.certificate, chain: next };
  expect(await host.consider(committee, null, proposal)).toBe(blockHash(next[0] ?? tip));
});
