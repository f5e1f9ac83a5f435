import { expect, test, vi } from 'vitest';
import type { SigningScheme } from '../../chains/chain-adapter.ts';
import { frostShare, frostSignature, newNonces } from '../frost-signing.ts';
import {
  clusterKeys,
  type KeyShare,
  type PublicCluster,
  tweakableKey,
  tweakedCluster,
  tweakedShare,
} from '../key-share.ts';
import { findShare } from '../memory/key-ring.ts';
import { transferTweak, tweakedKey } from '../transfer-tweak.ts';
import { verifySignature } from '../verify-signature.ts';
import { makeTerms, reshareTerms, type TestSigners, testSigner, testSigners } from './ceremony.fixtures.ts';
import type { CeremonyAnswer, CeremonySigner, Confirmation, DealPackage, SealedShares } from './ceremony.ts';
import { runCeremony } from './run-ceremony.ts';

// Key ceremonies are slow on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const SCHEMES = ['frost-secp256k1', 'frost-taproot', 'frost-ed25519'] as const;
const MESSAGE = 'ab'.repeat(32);

async function made(scheme: SigningScheme): Promise<{ signers: TestSigners; cluster: PublicCluster }> {
  const signers = testSigners();
  const outcome = await runCeremony(await makeTerms(signers, scheme), signers.hosts, signers.hosts);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
  return { signers, cluster: outcome.cluster };
}

function shareOf({ memories }: TestSigners, number: number, cluster: PublicCluster): KeyShare {
  const share = findShare(memories[number] as (typeof memories)[number], clusterKeys(cluster));
  if (share === null) throw new Error(`signer ${number} has no share`);
  return share;
}

function signature(shares: readonly KeyShare[], tweak: string | null = null): string {
  const tweaked = shares.map((share) => tweakedShare(share, tweak));
  const nonces = tweaked.map(newNonces);
  const offered = tweaked.map(({ signer }, index) => ({ signer, ...(nonces[index] as (typeof nonces)[0]).commitment }));
  const parts = tweaked.map((share, index) => ({
    signer: share.signer,
    share: frostShare(share, (nonces[index] as (typeof nonces)[0]).secret, offered, MESSAGE),
  }));
  const [first] = tweaked;
  return frostSignature((first as KeyShare).cluster, offered, MESSAGE, parts);
}

test.each(SCHEMES)('any three of five sign with a key of %s that nobody has', async (scheme) => {
  const { signers, cluster } = await made(scheme);
  const { groupKey } = clusterKeys(cluster);
  for (const three of [
    [0, 1, 2],
    [4, 1, 3],
    [2, 3, 4],
  ]) {
    const shares = three.map((number) => shareOf(signers, number, cluster));
    expect(verifySignature(scheme, groupKey, MESSAGE, signature(shares))).toBe(true);
  }
  const two = [0, 3].map((number) => shareOf(signers, number, cluster));
  expect(() => signature(two)).toThrow();
});

test.each(SCHEMES)(
  'the key of a transfer of %s is signed for by the cluster, whatever its parity',
  { timeout: 60_000 },
  async (scheme) => {
    const { signers, cluster } = await made(scheme);
    const shares = [1, 2, 4].map((number) => shareOf(signers, number, cluster));
    const { groupKey } = clusterKeys(cluster);
    const keys = new Set<string>();
    for (let n = 0; n < 8; n++) {
      const tweak = transferTweak(scheme, groupKey, n.toString(16).padStart(64, '0'));
      const key = tweakedKey(scheme, groupKey, tweak);
      keys.add(key);
      expect(clusterKeys(tweakedCluster(cluster, tweak)).groupKey).toBe(key);
      const signed = signature(shares, tweak);
      expect(verifySignature(scheme, key, MESSAGE, signed)).toBe(true);
      expect(verifySignature(scheme, groupKey, MESSAGE, signed)).toBe(false);
    }
    expect(keys.size).toBe(8);
  },
);

test('each signer of a multisignature has a key of its own, and one of its own for each transfer', async () => {
  const { signers, cluster } = await made('multisig-secp256k1');
  const keys = clusterKeys(cluster);
  expect(new Set(keys.signerKeys).size).toBe(5);
  const tweak = transferTweak('multisig-secp256k1', tweakableKey(keys), '11'.repeat(32));
  const all = tweakedKey('multisig-secp256k1', tweakableKey(keys), tweak);
  expect(clusterKeys(tweakedCluster(cluster, tweak)).signerKeys.join('')).toBe(all);
  expect(tweakedShare(shareOf(signers, 3, cluster), tweak).cluster.verifyingShares[3]).toBe(all.slice(198, 264));
});

test.each(SCHEMES)(
  'a share of %s that was dealt again is another share of the same key, and the one before is destroyed',
  async (scheme) => {
    const { signers, cluster } = await made(scheme);
    const before = [0, 1, 2, 3, 4].map((number) => shareOf(signers, number, cluster));
    const terms = await reshareTerms(cluster, signers, [0, 2, 4]);
    const dealers = [0, 2, 4].map((number) => signers.hosts[number] as CeremonySigner);
    const outcome = await runCeremony(terms, dealers, signers.hosts);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
    expect(clusterKeys(outcome.cluster)).toEqual(clusterKeys(cluster));
    const after = [0, 1, 2, 3, 4].map((number) => shareOf(signers, number, cluster));
    expect(verifySignature(scheme, clusterKeys(cluster).groupKey, MESSAGE, signature(after.slice(1, 4)))).toBe(true);
    for (const [number, share] of after.entries()) {
      expect(share.cluster.generation).toBe(2);
      expect(signers.memories[number]?.ids('key')).toHaveLength(1);
      const secret = before[number]?.secret as string;
      for (const text of signers.memories[number]?.records.values() ?? []) expect(text).not.toContain(secret);
    }
    const mixed = [before[0], after[1], after[2]] as KeyShare[];
    expect(() => signature(mixed)).toThrow();
  },
);

test('a key is handed over to five others that each of the old was told of, and to nobody else', async () => {
  const { signers, cluster } = await made('frost-secp256k1');
  const next = testSigners();
  const terms = await reshareTerms(cluster, signers, [0, 1, 3], next);
  const old = (roster: readonly string[] | null) =>
    [0, 1, 3].map((number) => testSigner(signers.memories[number] as never, number, roster));
  const refused = await runCeremony(terms, old(null), next.hosts);
  expect(refused).toMatchObject({ ok: false, faults: [{ reason: 'other signers than this one knows' }, {}, {}] });

  const outcome = await runCeremony(terms, old(await next.roster()), next.hosts);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
  const shares = [4, 0, 2].map((number) => shareOf(next, number, cluster));
  expect(verifySignature('frost-secp256k1', clusterKeys(cluster).groupKey, MESSAGE, signature(shares))).toBe(true);
  for (const number of [0, 1, 3]) expect(signers.memories[number]?.ids('key')).toEqual([]);
});

test.each(['frost-taproot', 'multisig-secp256k1'] as const)(
  'a key ceremony of %s goes on after a restart at each of its steps, and says the same',
  async (scheme) => {
    const signers = testSigners();
    const terms = await makeTerms(signers, scheme);
    const restarted = (number: number) => testSigner(signers.memories[number] as never, number);
    const asked = async <Value>(ask: (host: CeremonySigner) => Promise<{ ok: boolean; value?: Value }>) => {
      const values: Value[] = [];
      for (let number = 0; number < 5; number++) {
        const before = await ask(restarted(number));
        const after = await ask(restarted(number));
        expect(after).toEqual(before);
        expect(before.ok).toBe(true);
        values.push(before.value as Value);
      }
      return values;
    };
    const deals = await asked<DealPackage>((host) => host.deal(terms));
    const sealed = await asked<SealedShares>((host) => host.seal(terms, deals));
    const confirmations = await asked((host) => host.take(terms, deals, sealed));
    const clusters = await asked<PublicCluster>((host) => host.activate(terms, confirmations as never));
    expect(new Set(clusters.map((cluster) => JSON.stringify(cluster))).size).toBe(1);
    const secrets = signers.memories.map((memory) => memory.read('ceremony', memory.ids('ceremony')[0] as string));
    for (const text of secrets) expect(JSON.parse(text as string).polynomial).toBeNull();
  },
);

test('a signer whose disk is full at any step says nothing, and goes on afterwards', async () => {
  for (let step = 0; step < 8; step++) {
    const signers = testSigners();
    const terms = await makeTerms(signers, 'frost-secp256k1');
    signers.memories[2]?.failAfter(step);
    const first = await runCeremony(terms, signers.hosts, signers.hosts);
    signers.memories[2]?.mend();
    signers.hosts[2] = testSigner(signers.memories[2] as never, 2);
    const outcome = await runCeremony(terms, signers.hosts, signers.hosts);
    expect(outcome).toMatchObject({ ok: true, waiting: [] });
    if (!outcome.ok) throw new Error('unreachable');
    if (first.ok) expect(outcome.cluster).toEqual(first.cluster);
    const shares = [1, 2, 3].map((number) => shareOf(signers, number, outcome.cluster));
    const { groupKey } = clusterKeys(outcome.cluster);
    expect(verifySignature('frost-secp256k1', groupKey, MESSAGE, signature(shares))).toBe(true);
  }
});

const WRONG: Record<string, (host: CeremonySigner) => CeremonySigner> = {
  'a package that another key signed': (host) => ({
    ...asSigner(host),
    deal: async (terms) =>
      changed(await host.deal(terms), (deal: DealPackage) => ({ ...deal, signature: '11'.repeat(64) })),
  }),
  'commitments that it changed afterwards': (host) => ({
    ...asSigner(host),
    deal: async (terms) =>
      changed(await host.deal(terms), (deal: DealPackage) => ({ ...deal, commitments: deal.commitments.toReversed() })),
  }),
  'shares that it changed afterwards': (host) => ({
    ...asSigner(host),
    seal: async (terms, deals) =>
      changed(await host.seal(terms, deals), (sealed: SealedShares) => ({
        ...sealed,
        envelopes: sealed.envelopes.toReversed(),
      })),
  }),
  'a confirmation of another key': (host) => ({
    ...asSigner(host),
    take: async (...args) =>
      changed(await host.take(...args), (said: Confirmation) => ({
        ...said,
        cluster: { ...said.cluster, generation: 9 },
      })),
  }),
};

test.each(Object.keys(WRONG))('a ceremony with %s fails, and names who it is from', async (name) => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  const liar = (WRONG[name] as (host: CeremonySigner) => CeremonySigner)(signers.hosts[3] as CeremonySigner);
  const hosts = signers.hosts.map((host, number) => (number === 3 ? liar : host));
  const outcome = await runCeremony(terms, hosts, hosts);
  if (outcome.ok) throw new Error('the ceremony came to its end');
  expect(outcome.faults.map(({ culprit }) => culprit)).toContain(3);
  expect(signers.memories.flatMap((memory) => memory.ids('key'))).toEqual([]);
});

test('shares that lie on no polynomial of their dealer are noticed by the signer they are for', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-ed25519');
  const deals = await Promise.all(signers.hosts.map(async (host) => answered(await host.deal(terms))));
  const memory = signers.memories[1] as (typeof signers.memories)[number];
  const [id = ''] = memory.ids('ceremony');
  const record = JSON.parse(memory.read('ceremony', id) ?? '');
  record.polynomial.coefficients = record.polynomial.coefficients.toReversed();
  memory.write([{ kind: 'ceremony', id, text: JSON.stringify(record) }]);
  const sealed = await Promise.all(signers.hosts.map(async (host) => answered(await host.seal(terms, deals))));
  const taken = await signers.hosts[4]?.take(terms, deals, sealed);
  expect(taken).toEqual({ ok: false, culprit: 1, reason: 'its share is wrong' });
});

test('who runs a ceremony cannot show two first rounds, nor put in signers of its own', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  const deals = await Promise.all(signers.hosts.map(async (host) => answered(await host.deal(terms))));
  await signers.hosts[0]?.seal(terms, deals);
  const others = deals.toSpliced(1, 1, { ...(deals[1] as DealPackage), commitments: deals[2]?.commitments ?? [] });
  expect(await signers.hosts[0]?.seal(terms, others)).toMatchObject({
    ok: false,
    reason: 'another first round was sealed',
  });
  const strangers = testSigners();
  const foreign = { ...(await makeTerms(strangers, 'frost-secp256k1')), id: 'second' };
  foreign.roster.toSpliced(0, 1, (await signers.roster())[0] as string);
  expect(await signers.hosts[0]?.deal(foreign)).toMatchObject({
    ok: false,
    reason: 'other signers than this one knows',
  });
  expect(await signers.hosts[0]?.deal({ ...terms, organization: 'other' })).toMatchObject({ ok: false });
});

test('a dealer that does not know what it shares, or shares something else than its share, is named', async () => {
  const { signers, cluster } = await made('frost-secp256k1');
  const fresh = testSigners();
  const freshTerms = await makeTerms(fresh, 'frost-secp256k1');
  const deals = await Promise.all(fresh.hosts.map(async (host) => answered(await host.deal(freshTerms))));
  const { dealStatement, ceremonyHash } = await import('./ceremony.ts');
  const { signerIdentity, signStatement } = await import('../signer-identity.ts');
  const rogue = { ...(deals[2] as DealPackage), commitments: deals[1]?.commitments ?? [] };
  const identity = signerIdentity(fresh.memories[2] as never);
  const signed = { ...rogue, signature: signStatement(identity, dealStatement(ceremonyHash(freshTerms), rogue)) };
  expect(await fresh.hosts[0]?.seal(freshTerms, deals.toSpliced(2, 1, signed))).toEqual({
    ok: false,
    culprit: 2,
    reason: 'it does not know what it shares',
  });

  const terms = await reshareTerms(cluster, signers, [0, 1, 2]);
  const { newDeal } = await import('./deal-package.ts');
  const own = newDeal(terms, 1, signerIdentity(signers.memories[1] as never), null).deal;
  const [zero, two] = await Promise.all(
    [0, 2].map(async (n) => answered(await (signers.hosts[n] as CeremonySigner).deal(terms))),
  );
  expect(await signers.hosts[0]?.seal(terms, [zero as DealPackage, own, two as DealPackage])).toMatchObject({
    culprit: 1,
    reason: 'it shares something else than its share',
  });
});

test('a signer takes a generation into use with the word of all five alone, and never an earlier one', async () => {
  const { signers, cluster } = await made('frost-secp256k1');
  const terms = await reshareTerms(cluster, signers, [0, 1, 2]);
  const dealers = [0, 1, 2].map((number) => signers.hosts[number] as CeremonySigner);
  const deals = await Promise.all(dealers.map(async (host) => answered(await host.deal(terms))));
  const sealed = await Promise.all(dealers.map(async (host) => answered(await host.seal(terms, deals))));
  const said = await Promise.all(signers.hosts.map(async (host) => answered(await host.take(terms, deals, sealed))));
  expect(await signers.hosts[0]?.activate(terms, said.slice(0, 4))).toMatchObject({ ok: false });
  expect(await signers.hosts[0]?.activate(terms, said.toSpliced(4, 1, said[3] as never))).toMatchObject({ culprit: 4 });
  expect(shareOf(signers, 0, cluster).cluster.generation).toBe(1);

  const rival = { ...terms, id: 'rival' };
  const rivalDeals = await Promise.all(dealers.map(async (host) => answered(await host.deal(rival))));
  const rivalSealed = await Promise.all(dealers.map(async (host) => answered(await host.seal(rival, rivalDeals))));
  expect(await signers.hosts[3]?.take(rival, rivalDeals, rivalSealed)).toMatchObject({
    reason: 'another ceremony of this key has gone further',
  });
  const later = { ...terms, id: 'later', generation: 3 };
  const outcome = await runCeremony(later, dealers, signers.hosts);
  expect(outcome).toMatchObject({ ok: true, cluster: { generation: 3 } });
  expect(await signers.hosts[0]?.activate(terms, said)).toMatchObject({ ok: false });
  expect(await signers.hosts[0]?.deal({ ...terms, id: 'again' })).toMatchObject({ ok: false });
});

test('a ceremony whose end only one signer has heard of is gone on with from what the others have of it', async () => {
  const { signers, cluster } = await made('frost-secp256k1');
  const terms = await reshareTerms(cluster, signers, [0, 1, 2]);
  const dealers = [0, 1, 2].map((number) => signers.hosts[number] as CeremonySigner);
  const deaf = signers.hosts.map((host, number) =>
    number === 4 ? host : { ...asSigner(host), activate: () => Promise.reject(new Error('away')) },
  );
  const cut = await runCeremony(terms, deaf.slice(0, 3), deaf);
  expect(cut).toMatchObject({ ok: true, waiting: [0, 1, 2, 3] });
  expect(shareOf(signers, 4, cluster).cluster.generation).toBe(2);
  expect(shareOf(signers, 0, cluster).cluster.generation).toBe(1);
  const [unfinished] = await (signers.hosts[0] as CeremonySigner).unfinished();
  expect(unfinished).toEqual(terms);
  expect(await runCeremony(unfinished as typeof terms, dealers, signers.hosts)).toMatchObject({
    ok: true,
    waiting: [],
  });
  for (const number of [0, 1, 2, 3, 4]) {
    expect(shareOf(signers, number, cluster).cluster.generation).toBe(2);
    expect(await signers.hosts[number]?.unfinished()).toEqual([]);
  }
});

test('a second key of an organization stands beside the first until its vault has it', async () => {
  const { signers, cluster } = await made('frost-secp256k1');
  const terms = { ...(await makeTerms(signers, 'frost-secp256k1', 'rotation')), generation: 2 };
  const outcome = await runCeremony(terms, signers.hosts, signers.hosts);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
  expect(clusterKeys(outcome.cluster).groupKey).not.toBe(clusterKeys(cluster).groupKey);
  expect(shareOf(signers, 0, cluster).cluster.generation).toBe(1);
  expect(shareOf(signers, 0, outcome.cluster).cluster.generation).toBe(2);
});

function asSigner(host: CeremonySigner): CeremonySigner {
  return {
    identity: () => host.identity(),
    deal: (terms) => host.deal(terms),
    seal: (terms, deals) => host.seal(terms, deals),
    take: (terms, deals, sealed) => host.take(terms, deals, sealed),
    unfinished: () => host.unfinished(),
    confirmations: (terms) => host.confirmations(terms),
    activate: (terms, confirmations) => host.activate(terms, confirmations),
  };
}

function changed<Value>(answer: CeremonyAnswer<Value>, change: (value: Value) => Value): CeremonyAnswer<Value> {
  return answer.ok ? { ok: true, value: change(answer.value) } : answer;
}

function answered<Value>(answer: CeremonyAnswer<Value>): Value {
  if (!answer.ok) throw new Error(answer.reason);
  return answer.value;
}
