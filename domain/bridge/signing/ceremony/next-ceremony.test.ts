import { beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '../../../calendar/durations.ts';
import { BLIND_EYES } from '../blind-eyes.ts';
import { type HostedSigner, hostSigner } from '../hosted-signer.ts';
import { clusterKeys, type PublicCluster } from '../key-share.ts';
import { PlainMemory } from '../memory/plain-memory.fixtures.ts';
import { NOW } from '../signing.fixtures.ts';
import { ORGANIZATION } from './ceremony.fixtures.ts';
import { type CeremonyTerms, GENERATIONS_AHEAD_MAX } from './ceremony.ts';
import { CEREMONIES_MAX, MAKES_MAX } from './ceremony-host.ts';
import { carryOut, heldByThree, makeNextKey, reshareKeys } from './next-ceremony.ts';

const KEY = { organization: ORGANIZATION, scheme: 'frost-secp256k1' } as const;

let disks: PlainMemory[];
let five: HostedSigner[];
let key: PublicCluster;
let now = NOW;

function start(roster: readonly string[] | null = null): void {
  five = disks.map((memory, number) =>
    hostSigner({ organization: ORGANIZATION, number, memory, eyes: BLIND_EYES, roster, now: () => now }),
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
  now = NOW;
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

/** The five, of whom one says what it likes of its keys and of ceremonies that were cut short. */
const withLiar = (lies: Pick<HostedSigner, 'clusters'> | Pick<HostedSigner, 'unfinished'>) =>
  five.map((signer, number) => (number === 2 ? { ...signer, ...lies } : signer));
const MOST = Number.MAX_SAFE_INTEGER;

test('a key that one signer makes up, said three times, is dealt again by nobody, and keeps no true one back', async () => {
  const own = await makeNextKeyElsewhere();
  const told = [own, own, own, key];
  expect(await heldByThree(withLiar({ clusters: async () => told }))).toEqual([key]);
  expect(await reshare(withLiar({ clusters: async () => told }))).toMatchObject({ ok: true });
  await expectDealt(2);
});

test('a generation that one signer makes up uses up none of those that there are', async () => {
  const [held] = (await five[2]?.clusters()) ?? [];
  const lie = { ...(held as PublicCluster), generation: MOST - 1 };
  const liar = withLiar({ clusters: async () => [lie, key] });
  expect(await reshare(liar)).toMatchObject({ ok: true, cluster: { generation: 2 } });
  expect(await makeNextKey({ ...KEY, signers: liar })).toMatchObject({ ok: true, cluster: { generation: 3 } });
});

test('a new key that one signer says was cut short is made by nobody who deals keys again', async () => {
  const roster = await Promise.all(five.map((signer) => signer.identity()));
  const dealers = roster.map((of, signer) => ({ signer, key: of }));
  const lie: CeremonyTerms = { ...KEY, id: 'lie', kind: 'make', generation: 9, roster, dealers, from: null };
  const liar = withLiar({ unfinished: async () => [lie, { ...lie, generation: MOST }] });
  const dealt = await reshare(liar);
  expect(dealt.ok && groupKey(dealt.cluster)).toBe(groupKey(key));
  for (const clusters of await Promise.all(five.map((signer) => signer.clusters()))) expect(clusters).toHaveLength(1);
});

test('signers take part in no generation far beyond what they have, and in reshares however many new keys were begun', async () => {
  const roster = await Promise.all(five.map((signer) => signer.identity()));
  const dealers = roster.map((of, signer) => ({ signer, key: of }));
  const make = (generation: number): CeremonyTerms => ({
    ...KEY,
    id: String(generation),
    kind: 'make',
    generation,
    roster,
    dealers,
    from: null,
  });
  for (const generation of [GENERATIONS_AHEAD_MAX + 2, MOST])
    expect(await five[0]?.deal(make(generation))).toEqual({
      ok: false,
      reason: 'the generation is far ahead',
      culprit: null,
    });
  await carryOut(make(2), without({ activate: [0, 1, 2, 3, 4] }));
  for (const disk of disks) {
    const [confirmed] = disk.ids('ceremony').filter((id) => disk.read('ceremony', id)?.includes('"generation":2'));
    const text = disk.read('ceremony', confirmed ?? '') ?? '';
    disk.write(Array.from({ length: MAKES_MAX }, (_, of) => ({ kind: 'ceremony', id: `confirmed ${of}`, text })));
  }
  expect(await five[0]?.deal(make(3))).toMatchObject({ ok: false, reason: 'too many new keys' });
  expect(await reshare()).toMatchObject({ ok: true });
});

/** A key of five others. */
async function makeNextKeyElsewhere(): Promise<PublicCluster> {
  const mine = disks;
  disks = Array.from({ length: 5 }, () => new PlainMemory());
  start();
  const made = await makeNextKey({ ...KEY, signers: five });
  disks = mine;
  start();
  if (!made.ok) throw new Error(made.reason);
  return made.cluster;
}

test('a lost signer is replaced a day later at most, whatever a coordinator has had confirmed and never taken into use', async () => {
  const from = key;
  const roster = await Promise.all(five.map((signer) => signer.identity()));
  const dealers = roster.map((identity, signer) => ({ signer, key: identity }));
  const again = (generation: number): CeremonyTerms => ({
    ...KEY,
    id: String(generation),
    kind: 'reshare',
    generation,
    roster,
    dealers,
    from,
  });
  const confirmedOnly = without({ activate: [0, 1, 2, 3, 4] });
  await carryOut(again(2), confirmedOnly);
  for (const disk of disks) {
    const [confirmed] = disk.ids('ceremony').filter((id) => disk.read('ceremony', id)?.includes('"kind":"reshare"'));
    const text = disk.read('ceremony', confirmed ?? '') ?? '';
    disk.write(Array.from({ length: CEREMONIES_MAX }, (_, of) => ({ kind: 'ceremony', id: `confirmed ${of}`, text })));
  }
  const full = { ok: false, reason: 'too many ceremonies' };
  expect(await five[0]?.deal(again(3))).toMatchObject(full);
  now += DAY_MS;
  // Behind the bound there is one a day, and for a key that is in use alone.
  expect(await five[0]?.deal({ ...again(3), kind: 'make', from: null })).toMatchObject(full);
  const elsewhere = await makeNextKeyElsewhere();
  expect(await five[0]?.deal({ ...again(3), from: elsewhere })).toMatchObject(full);
  await carryOut(again(3), confirmedOnly);
  expect(await five[0]?.deal(again(4))).toMatchObject(full);
  now += DAY_MS;
  await replace(3);
  expect(await reshare()).toMatchObject({ ok: true });
});
