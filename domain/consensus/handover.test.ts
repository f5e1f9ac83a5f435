import { expect, test } from 'vitest';
import { firstMembers, SigningCommittee } from './chain.fixtures.ts';
import { committeeHash, QUORUM } from './committee.ts';
import { verifyEd25519 } from './ed25519.ts';
import {
  type Handover,
  handoverFault,
  handoverMessage,
  type PublishedCommittee,
  trustedCommittees,
} from './handover.ts';

const [first, second, third, forger] = [
  await SigningCommittee.of(1, 1),
  await SigningCommittee.of(41, 2),
  await SigningCommittee.of(81, 4),
  await SigningCommittee.of(121, 3),
];

/** The word of a committee's members on the next one. */
async function handover(
  before: SigningCommittee,
  next: SigningCommittee,
  members = firstMembers(QUORUM),
): Promise<Handover> {
  const message = handoverMessage(before.hash, next.hash);
  const signatures = members.map(async (member) => ({
    member,
    signature: (await before.keys[member]?.sign(message)) ?? '',
  }));
  return { before: before.hash, signatures: await Promise.all(signatures) };
}

const published = async (
  of: SigningCommittee,
  before: SigningCommittee | null,
  members?: number[],
): Promise<PublishedCommittee> => ({
  ...of.committee,
  handover: before === null ? null : await handover(before, of, members),
});

test('B-12: a committee is named by 16 of the one before, in order, each once, and by nobody else', async () => {
  const fault = (given: Handover, next = second) =>
    handoverFault(given, first.committee, next.committee, verifyEd25519);
  const given = await handover(first, second);
  expect(await fault(given)).toBeNull();
  expect(await fault(await handover(first, second, firstMembers(20)))).toBeNull();
  expect(await fault(await handover(first, second, firstMembers(15)))).toBe('it has 15 signatures and not 16');
  expect(await fault(await handover(first, second, [...firstMembers(15), 14]))).toContain('no order');
  expect(await fault(await handover(first, second, [...firstMembers(15), 20]))).toContain('no member 20');
  expect(await fault(given, third)).toContain('member 0 is not its own');
  expect(await fault({ ...(await handover(forger, second)), before: first.hash })).toContain('member 0 is not its own');
  expect(await fault({ ...given, before: second.hash })).toBe('it is of another committee');
  const back = await handover(second, first);
  expect(await handoverFault(back, second.committee, first.committee, verifyEd25519)).toBe('its epoch is not later');
  const small = { ...second.committee, keys: second.committee.keys.slice(1) };
  expect(await handoverFault(given, first.committee, small, verifyEd25519)).toMatch(/^committee: /);
});

test('B-12: who trusts a committee trusts those that are named from one to the next, and no other that stands beside them', async () => {
  const chain = [await published(first, null), await published(second, first), await published(third, second)];
  const trusted = async (list: readonly PublishedCommittee[], ...known: string[]) =>
    [...(await trustedCommittees(list, known, verifyEd25519))].sort();
  expect(await trusted(chain, first.hash)).toEqual([first.hash, second.hash, third.hash].sort());
  expect(await trusted(chain, second.hash)).toEqual([second.hash, third.hash].sort());
  expect(await trusted(chain, forger.hash)).toEqual([forger.hash]);
  const alone = await published(forger, null);
  const lying = await published(forger, second, firstMembers(15));
  const forged = { ...forger.committee, handover: { ...(await handover(third, forger)), before: second.hash } };
  for (const beside of [alone, lying, forged])
    expect(await trusted([...chain.slice(0, 2), beside], first.hash)).toEqual([first.hash, second.hash].sort());
  // Who knows a committee needs no signature that names it.
  const verified: string[] = [];
  const verify: typeof verifyEd25519 = (key, message, signature) => {
    verified.push(key);
    return verifyEd25519(key, message, signature);
  };
  await trustedCommittees(chain, [first.hash, second.hash], verify);
  expect(verified).toEqual(second.committee.keys.slice(0, QUORUM));
  // Without the one between, nothing leads to the third.
  expect(
    await trusted(
      [chain[0], chain[2]].filter((of) => of !== undefined),
      first.hash,
    ),
  ).toEqual([first.hash]);
  expect(committeeHash(second.committee)).toBe(second.hash);
});
