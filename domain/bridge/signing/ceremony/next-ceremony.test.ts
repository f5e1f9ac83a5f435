import { beforeEach, expect, test } from 'vitest';
import { BLIND_EYES } from '../blind-eyes.ts';
import { type HostedSigner, hostSigner } from '../hosted-signer.ts';
import { clusterKeys, type PublicCluster } from '../key-share.ts';
import { PlainMemory } from '../memory/plain-memory.fixtures.ts';
import { NOW } from '../signing.fixtures.ts';
import { ORGANIZATION } from './ceremony.fixtures.ts';
import type { CeremonyTerms } from './ceremony.ts';
import { carryOut, makeNextKey, reshareKeys } from './next-ceremony.ts';

const KEY = { organization: ORGANIZATION, scheme: 'frost-secp256k1' } as const;

let disks: PlainMemory[];
let five: HostedSigner[];
let key: PublicCluster;

function start(roster: readonly string[] | null = null): void {
  five = disks.map((memory, number) =>
    hostSigner({ organization: ORGANIZATION, number, memory, eyes: BLIND_EYES, roster, now: () => NOW }),
  );
}

/** Others take the places of those that are lost, and operators say so. */
async function replace(...numbers: readonly number[]): Promise<void> {
  for (const number of numbers) disks[number] = new PlainMemory();
  start();
  start(await Promise.all(five.map((signer) => signer.identity())));
}

/** The five, of which some do not answer some calls. */
function without(calls: Partial<Record<keyof HostedSigner, readonly number[]>>): HostedSigner[] {
  return five.map((signer, number) => {
    const away = Object.entries(calls).flatMap(([name, numbers]) =>
      numbers.includes(number) ? [[name, () => Promise.reject(new Error('away'))]] : [],
    );
    return { ...signer, ...Object.fromEntries(away) };
  });
}

const reshare = (signers = five) => reshareKeys({ ...KEY, signers });
const groupKey = (cluster: PublicCluster) => clusterKeys(cluster).groupKey;

async function expectDealt(generation: number): Promise<void> {
  const held = await Promise.all(five.map((signer) => signer.clusters()));
  for (const clusters of held)
    expect(clusters.map((cluster) => [groupKey(cluster), cluster.generation])).toEqual([[groupKey(key), generation]]);
}

beforeEach(async () => {
  disks = Array.from({ length: 5 }, () => new PlainMemory());
  start();
  const made = await makeNextKey({ ...KEY, signers: five });
  if (!made.ok) throw new Error(made.reason);
  key = made.cluster;
});

test('a key is dealt again to those of now; a lost signer’s place is another’s', async () => {
  expect(await reshare()).toMatchObject({ ok: true, cluster: { generation: 2 } });
  await replace(3);
  expect(await reshare()).toMatchObject({ ok: true, cluster: { generation: 3 } });
  await replace(0, 1);
  expect(await reshare()).toMatchObject({ ok: true, cluster: { generation: 4 } });
  await expectDealt(4);
});

test('what two have in use and one of the five was lost before it heard of it is in use for all', async () => {
  // Two have the new shares, and their old ones are gone; two have the old ones: neither are three.
  expect(await reshare(without({ activate: [2, 3, 4] }))).toEqual({ ok: false, reason: 'away' });
  await replace(4);
  expect(await reshare()).toMatchObject({ ok: true });
  await expectDealt(3);
});

test('a share that was confirmed is kept while a later ceremony is begun and comes to nothing', async () => {
  await reshare(without({ activate: [2, 3, 4] }));
  // Those who have it in use do not answer: the others begin a later ceremony from what they have.
  const roster = await Promise.all(five.map((signer) => signer.identity()));
  const dealers = [2, 3, 4].map((signer) => ({ signer, key: roster[signer] ?? '' }));
  const later: CeremonyTerms = { ...KEY, id: 'later', kind: 'reshare', generation: 3, roster, dealers, from: key };
  expect(await carryOut(later, without({ take: [0, 1], confirmations: [0, 1] }))).toMatchObject({ ok: false });
  await replace(4);
  expect(await reshare()).toMatchObject({ ok: true });
  const [first] = await Promise.all(five.map((signer) => signer.clusters()));
  expect(first?.map(groupKey)).toEqual([groupKey(key)]);
});

test('a ceremony that some have confirmed, and that can never end, is in nobody’s way', async () => {
  expect(await reshare(without({ take: [0, 4] }))).toMatchObject({ ok: false });
  await replace(4);
  expect(await reshare()).toMatchObject({ ok: true, cluster: { generation: 3 } });
  await expectDealt(3);
});

test('a key that fewer than three have in use is not answered: two of them may be lost', async () => {
  const next = (signers: HostedSigner[]) => makeNextKey({ ...KEY, signers });
  expect(await next(without({ activate: [0, 1, 2] }))).toEqual({ ok: false, reason: 'away' });
  const made = await next(five);
  expect(made).toMatchObject({ ok: true, cluster: { generation: 2 } });
  const held = await Promise.all(five.map((signer) => signer.clusters()));
  for (const clusters of held) expect(clusters).toHaveLength(2);
});

test('keys that were rotated are dealt again, too, and the newest stays the newest', async () => {
  const made = await makeNextKey({ ...KEY, signers: five });
  if (!made.ok) throw new Error(made.reason);
  await replace(2);
  const dealt = await reshare();
  expect(dealt).toMatchObject({ ok: true, cluster: { generation: 4 } });
  expect(dealt.ok && groupKey(dealt.cluster)).toBe(groupKey(made.cluster));
  const held = await five[2]?.clusters();
  expect(held?.map((cluster) => [groupKey(cluster), cluster.generation])).toEqual([
    [groupKey(key), 3],
    [groupKey(made.cluster), 4],
  ]);
});

test('a signer that was killed on its way into a later generation takes no earlier one into use', async () => {
  const heard: [CeremonyTerms, Parameters<HostedSigner['activate']>[1]][] = [];
  const listening = five.map((signer, number) => ({
    ...signer,
    activate: async (...args: Parameters<HostedSigner['activate']>) => {
      if (number !== 0) return signer.activate(...args);
      heard.push(args);
      throw new Error('away');
    },
  }));
  expect(await reshare(listening)).toMatchObject({ ok: true });
  const roster = await Promise.all(five.map((signer) => signer.identity()));
  const [from] = (await five[1]?.clusters()) ?? [];
  const dealers = [1, 2, 3].map((signer) => ({ signer, key: roster[signer] ?? '' }));
  const terms: CeremonyTerms = {
    ...KEY,
    id: 'later',
    kind: 'reshare',
    generation: 3,
    roster,
    dealers,
    from: from ?? null,
  };
  disks[0]?.failAfter(Number.POSITIVE_INFINITY);
  const killed = five.map((signer, number) => ({
    ...signer,
    activate: async (...args: Parameters<HostedSigner['activate']>) => {
      if (number === 0) disks[0]?.failAfter(1);
      return signer.activate(...args).finally(() => disks[0]?.mend());
    },
  }));
  expect(await carryOut(terms, killed)).toMatchObject({ ok: true });
  const [earlier] = heard;
  expect(await five[0]?.activate(...(earlier as (typeof heard)[number]))).toMatchObject({ ok: false });
  expect(await carryOut(terms, five)).toMatchObject({ ok: true });
  await expectDealt(3);
});

test('what was dealt again many times leaves the records of the last alone', async () => {
  for (let round = 0; round < 3; round += 1) expect(await reshare()).toMatchObject({ ok: true });
  for (const disk of disks) expect(disk.ids('ceremony')).toHaveLength(1);
});
