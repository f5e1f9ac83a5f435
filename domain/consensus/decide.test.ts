import { expect, test } from 'vitest';
import { blockHash } from './block.ts';
import { certificateFault } from './certificate.ts';
import { blockOf, SigningCommittee, settlement } from './chain.fixtures.ts';
import { COMMITTEE_SIZE, QUORUM } from './committee.ts';
import { decide } from './decide.ts';
import { verifyEd25519 } from './ed25519.ts';
import { type CommitteeMember, Member } from './member.ts';
import type { VotedFor } from './validator.ts';

const signing = await SigningCommittee.of();
const { committee } = signing;
const first = blockOf(signing.hash, null, [settlement(1)]).header;
const second = blockOf(signing.hash, first, [settlement(2)]).header;
const other = blockOf(signing.hash, null, [settlement(3)]).header;

/** Members whose votes are kept, as on disk, in `kept`. */
function membersOf(kept: (VotedFor | null)[] = [], provesFinal = async () => true): Member[] {
  return signing.keys.map(
    (key, number) =>
      new Member({
        number,
        committee: signing.hash,
        key,
        provesFinal,
        votes: {
          last: () => kept[number] ?? null,
          save: (vote) => {
            kept[number] = vote;
          },
        },
      }),
  );
}

const AWAY: CommitteeMember = {
  consider: () => Promise.reject(new Error('away')),
  endRound: () => Promise.reject(new Error('away')),
};

function without(members: readonly CommitteeMember[], away: number): CommitteeMember[] {
  return members.map((member, number) => (number < away ? AWAY : member));
}

const proposed = (chain: readonly (typeof first)[]) => ({ final: null, certificate: null, chain });

test('a committee makes the end of a chain final, with the votes of all who are there', async () => {
  for (const away of [0, 4]) {
    const certificate = await decide(without(membersOf(), away), committee, proposed([first, second]), verifyEd25519);
    if (certificate === null) throw new Error('not final');
    expect(certificate).toMatchObject({ height: 2, hash: blockHash(second) });
    expect(certificate.votes).toHaveLength(COMMITTEE_SIZE - away);
    expect(await certificateFault(certificate, committee, verifyEd25519)).toBeNull();
  }
});

test('with five away it does not, and what the others have voted for binds them', async () => {
  const kept: (VotedFor | null)[] = [];
  expect(await decide(without(membersOf(kept), 5), committee, proposed([first]), verifyEd25519)).toBeNull();
  expect(kept.filter(Boolean)).toEqual([]);
  expect(await decide(membersOf(kept), committee, proposed([first]), verifyEd25519)).not.toBeNull();
  expect(await decide(membersOf(kept), committee, proposed([other]), verifyEd25519)).toBeNull();
  expect(await decide(membersOf(kept), committee, proposed([first, second]), verifyEd25519)).not.toBeNull();
});

test('a vote is kept before it is given', async () => {
  const kept: (VotedFor | null)[] = [];
  const order: string[] = [];
  const [key] = signing.keys;
  if (key === undefined) throw new Error('no key');
  const member = new Member({
    number: 0,
    committee: signing.hash,
    key: {
      ...key,
      sign: (message) => {
        order.push('signed');
        return key.sign(message);
      },
    },
    provesFinal: async () => true,
    votes: {
      last: () => kept[0] ?? null,
      save: (vote) => {
        order.push('saved');
        kept[0] = vote;
      },
    },
  });
  const hash = await member.consider(proposed([first]));
  const heard = Array.from({ length: QUORUM }, (_, number) => [number, hash ?? ''] as const);
  expect((await member.endRound(0, heard)).vote).not.toBeNull();
  expect(order).toEqual(['saved', 'signed']);
});

test('a member that cannot be shown that a block is final takes no part in what follows it', async () => {
  const certificate = await signing.certificate(first);
  const proposal = { final: first, certificate, chain: [second] };
  expect(
    await decide(
      membersOf([], async () => false),
      committee,
      proposal,
      verifyEd25519,
    ),
  ).toBeNull();
  expect(await decide(membersOf(), committee, proposal, verifyEd25519)).not.toBeNull();
});

test('votes that are of another member, of another block or signed by another key do not count', async () => {
  const members = membersOf();
  const forged = (change: (number: number) => Partial<CommitteeMember>) =>
    members.map(
      (member, number): CommitteeMember => ({
        consider: (proposal) => member.consider(proposal),
        endRound: (round, heard) => member.endRound(round, heard),
        ...change(number),
      }),
    );
  const lies: ((number: number) => CommitteeMember['endRound'])[] = [
    () => async (round, heard) => members[0]?.endRound(round, heard) ?? { preferred: null, vote: null },
    (number) => async () => ({ preferred: null, vote: await signing.vote(number, other) }),
    (number) => async () => {
      const vote = await signing.vote((number + 1) % COMMITTEE_SIZE, first);
      return { preferred: null, vote: { ...vote, member: number } };
    },
  ];
  for (const lie of lies) {
    const all = forged((number) => (number < 5 && number > 0 ? { endRound: lie(number) } : {}));
    const certificate = await decide(all, committee, proposed([first]), verifyEd25519);
    expect(certificate?.votes.map(({ member }) => member)).toEqual([
      0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]);
    const most = forged((number) => (number < 6 && number > 0 ? { endRound: lie(number) } : {}));
    expect(await decide(most, committee, proposed([first]), verifyEd25519)).toBeNull();
  }
});
