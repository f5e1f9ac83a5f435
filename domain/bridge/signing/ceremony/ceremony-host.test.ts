import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { expect, test, vi } from 'vitest';
import type { SigningScheme } from '../../chains/chain-adapter.ts';
import { clusterKeys, type PublicCluster } from '../key-share.ts';
import { findShare } from '../memory/key-ring.ts';
import type { PlainMemory } from '../memory/plain-memory.fixtures.ts';
import { signerIdentity, signStatement } from '../signer-identity.ts';
import { makeTerms, reshareTerms, type TestSigners, testSigner, testSigners } from './ceremony.fixtures.ts';
import {
  type CeremonyAnswer,
  type CeremonySigner,
  type CeremonyTerms,
  ceremonyHash,
  confirmedStatement,
  type DealPackage,
  dealStatement,
  sealedStatement,
  transcriptOf,
} from './ceremony.ts';
import { CEREMONIES_MAX } from './ceremony-host.ts';
import { newDeal } from './deal-package.ts';
import { sealEnvelope } from './envelope.ts';
import { newPolynomial, shareFor } from './polynomial.ts';
import { runCeremony } from './run-ceremony.ts';

// Key ceremonies are slow on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const hostOf = ({ hosts }: TestSigners, number: number) => hosts[number] as CeremonySigner;
const memoryOf = ({ memories }: TestSigners, number: number) => memories[number] as PlainMemory;
const identityOf = (signers: TestSigners, number: number) => signerIdentity(memoryOf(signers, number));

function value<Value>(answer: CeremonyAnswer<Value>): Value {
  if (!answer.ok) throw new Error(answer.reason);
  return answer.value;
}

async function made(scheme: SigningScheme): Promise<{ signers: TestSigners; cluster: PublicCluster }> {
  const signers = testSigners();
  const outcome = await runCeremony(await makeTerms(signers, scheme), signers.hosts, signers.hosts);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
  return { signers, cluster: outcome.cluster };
}

const dealt = (terms: CeremonyTerms, dealers: readonly CeremonySigner[]) =>
  Promise.all(dealers.map(async (dealer) => value(await dealer.deal(terms))));

/** A dealer's package with something else in it, which the dealer itself has signed. */
function signed(
  signers: TestSigners,
  terms: CeremonyTerms,
  deal: DealPackage,
  change: Partial<DealPackage>,
): DealPackage {
  const said = { ...deal, ...change };
  return {
    ...said,
    signature: signStatement(identityOf(signers, deal.dealer), dealStatement(ceremonyHash(terms), said)),
  };
}

test.each([
  ['more', (commitments: readonly string[]) => [...commitments, commitments[1] as string]],
  ['fewer', (commitments: readonly string[]) => commitments.slice(0, 2)],
])('a dealer whose polynomial has %s coefficients than the key is named', async (_, change) => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  const deals = await dealt(terms, signers.hosts);
  const three = deals[3] as DealPackage;
  const rogue = signed(signers, terms, three, { commitments: change(three.commitments) });
  expect(await hostOf(signers, 0).seal(terms, deals.toSpliced(3, 1, rogue))).toEqual({
    ok: false,
    culprit: 3,
    reason: 'another number of commitments',
  });
});

test('a signer of a multisignature shows that it has the key that it gives, and no other has the same', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'multisig-secp256k1');
  const deals = await dealt(terms, signers.hosts);
  const [own, others] = [deals[2] as DealPackage, deals[1] as DealPackage];
  const stolen = signed(signers, terms, own, { commitments: others.commitments });
  expect(await hostOf(signers, 0).seal(terms, deals.toSpliced(2, 1, stolen))).toMatchObject({
    culprit: 2,
    reason: 'it does not know what it shares',
  });
  const two = signed(signers, terms, own, { commitments: [...own.commitments, ...others.commitments] });
  expect(await hostOf(signers, 0).seal(terms, deals.toSpliced(2, 1, two))).toMatchObject({
    culprit: 2,
    reason: 'another number of commitments',
  });
});

test('the packages of a first round are those of all dealers, in their order', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  const deals = await dealt(terms, signers.hosts);
  const [zero, one, ...others] = deals as [DealPackage, DealPackage, ...DealPackage[]];
  const seal = (list: readonly DealPackage[]) => hostOf(signers, 4).seal(terms, list);
  expect(await seal([zero, one, ...others.slice(1)])).toMatchObject({ reason: 'not the packages of all dealers' });
  expect(await seal([...deals, zero])).toMatchObject({ reason: 'not the packages of all dealers' });
  expect(await seal([one, zero, ...others])).toMatchObject({ reason: 'packages are not in order of their dealers' });
  expect(await seal(deals)).toMatchObject({ ok: true });
});

test('a signer that dealt one thing does not go on with another in its name', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  const deals = await dealt(terms, signers.hosts);
  const { deal } = newDeal(terms, 2, identityOf(signers, 2), null);
  expect(await hostOf(signers, 2).seal(terms, deals.toSpliced(2, 1, deal))).toMatchObject({
    ok: false,
    reason: 'its own package was changed',
  });
});

test('who has dealt nothing seals nothing, and who has no seat takes nothing', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  const deals = await dealt(terms, signers.hosts);
  const sealed = await Promise.all(signers.hosts.map(async (host) => value(await host.seal(terms, deals))));
  const stranger = hostOf(testSigners(), 2);
  expect(await stranger.deal(terms)).toMatchObject({ reason: 'this signer deals nothing in it' });
  expect(await stranger.seal(terms, deals)).toMatchObject({ reason: 'this signer has dealt nothing in it' });
  expect(await stranger.take(terms, deals, sealed)).toMatchObject({ reason: 'this signer takes no share in it' });
  expect(await stranger.activate(terms, [])).toMatchObject({ reason: 'this signer has no part in it' });
  const other = { ...terms, organization: 'other' };
  expect(await hostOf(signers, 0).take(other, deals, sealed)).toMatchObject({ reason: 'another organization' });
});

test('shares of another first round, or in another order, are not taken', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  const deals = await dealt(terms, signers.hosts);
  const sealed = await Promise.all(signers.hosts.map(async (host) => value(await host.seal(terms, deals))));
  const [zero, one, ...others] = sealed as [(typeof sealed)[0], (typeof sealed)[0], ...typeof sealed];
  const take = (list: typeof sealed) => hostOf(signers, 0).take(terms, deals, list);
  const refused = { ok: false, culprit: null, reason: 'the second round is not that of the first' };
  expect(await take([one, zero, ...others])).toEqual(refused);
  expect(await take([zero, { ...one, transcript: 'another' }, ...others])).toEqual(refused);
  expect(await take([zero, one, ...others.slice(1)])).toEqual(refused);
  expect(await take(sealed)).toMatchObject({ ok: true });
});

test('who has sealed one first round takes no shares of another', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  const deals = await dealt(terms, signers.hosts);
  await hostOf(signers, 0).seal(terms, deals);
  const others = deals.toSpliced(1, 1, newDeal(terms, 1, identityOf(signers, 1), null).deal);
  expect(await hostOf(signers, 0).take(terms, others, [])).toMatchObject({
    ok: false,
    reason: 'another first round was sealed',
  });
});

test('a key is dealt again by those who have its newest share, of the very key that is named', async () => {
  const { signers, cluster } = await made('frost-secp256k1');
  const terms = await reshareTerms(cluster, signers, [0, 1, 2]);
  const refused = { ok: false, reason: 'this signer has another share, or none' };
  const forged = { ...cluster, verifyingShares: cluster.verifyingShares.toReversed() };
  expect(await hostOf(signers, 0).deal({ ...terms, from: forged })).toMatchObject(refused);
  const next = testSigners();
  const dealers = (await next.roster()).map((key, signer) => ({ signer, key }));
  expect(await hostOf(next, 0).deal({ ...terms, roster: await next.roster(), dealers })).toMatchObject(refused);
});

/** Five others take a key that is not the one that they were told of: their dealers have made up what they share. */
test('a key that is handed over is the one that is named', async () => {
  const [old, next] = [testSigners(), testSigners()];
  const secrets = [0, 1, 2].map(() => newPolynomial('frost-secp256k1', null));
  const named = newPolynomial('frost-secp256k1', null).commitments;
  const from: PublicCluster = {
    scheme: 'frost-secp256k1',
    generation: 1,
    commitments: named,
    verifyingShares: [...secrets.map(({ commitments: [first = ''] }) => first), ...named.slice(1)],
  };
  const terms = await reshareTerms(from, old, [0, 1, 2], next);
  const rounds = secrets.map(({ coefficients: [secret = ''] }, number) =>
    newDeal(terms, number, identityOf(old, number), secret),
  );
  const deals = rounds.map(({ deal }) => deal);
  const transcript = transcriptOf(ceremonyHash(terms), deals);
  const sealed = rounds.map(({ polynomial }, dealer) => {
    const envelopes = terms.roster.map((key, signer) =>
      sealEnvelope(key, `${transcript} ${dealer} ${signer}`, shareFor('frost-secp256k1', polynomial, signer)),
    );
    const said = { dealer, transcript, envelopes };
    return { ...said, signature: signStatement(identityOf(old, dealer), sealedStatement(ceremonyHash(terms), said)) };
  });
  expect(await hostOf(next, 3).take(terms, deals, sealed)).toEqual({
    ok: false,
    culprit: null,
    reason: 'it is another key',
  });
});

test('those who hand a key over keep their shares until five others have that very key', async () => {
  const { signers, cluster } = await made('frost-secp256k1');
  const next = testSigners();
  const roster = await next.roster();
  const terms = await reshareTerms(cluster, signers, [0, 1, 3], next);
  const leaving = [0, 1, 3].map((number) => testSigner(memoryOf(signers, number), number, roster));
  const deals = await dealt(terms, leaving);
  const sealed = await Promise.all(leaving.map(async (host) => value(await host.seal(terms, deals))));
  const transcript = sealed[0]?.transcript ?? '';
  const other = (await made('frost-secp256k1')).cluster;
  const confirmations = roster.map((_, signer) => {
    const said = { signer, transcript, cluster: other };
    return {
      ...said,
      signature: signStatement(identityOf(next, signer), confirmedStatement(ceremonyHash(terms), said)),
    };
  });
  expect(await leaving[0]?.activate(terms, confirmations)).toMatchObject({
    ok: false,
    reason: 'the others have confirmed another key',
  });
  expect(findShare(memoryOf(signers, 0), clusterKeys(cluster))).not.toBeNull();
});

test('each of five confirmations is of its own signer, of this first round, and of one key', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  const deals = await dealt(terms, signers.hosts);
  const sealed = await Promise.all(signers.hosts.map(async (host) => value(await host.seal(terms, deals))));
  const said = await Promise.all(signers.hosts.map(async (host) => value(await host.take(terms, deals, sealed))));
  const resigned = (number: number, change: Partial<(typeof said)[number]>) => {
    const own = { ...(said[number] as (typeof said)[number]), ...change };
    const signature = signStatement(identityOf(signers, number), confirmedStatement(ceremonyHash(terms), own));
    return said.toSpliced(number, 1, { ...own, signature });
  };
  const host = hostOf(signers, 0);
  const another = { ok: false, culprit: 2, reason: 'it has confirmed another key' };
  expect(await host.activate(terms, resigned(2, { transcript: 'another' }))).toEqual(another);
  const cluster = { ...(said[2] as (typeof said)[number]).cluster, generation: 9 };
  expect(await host.activate(terms, resigned(2, { cluster }))).toEqual(another);
  const unsigned = { ok: false, culprit: 2, reason: 'its confirmation is not signed by it' };
  expect(await host.activate(terms, resigned(2, { signer: 3 }))).toEqual(unsigned);
  expect(await host.activate(terms, said.toSpliced(2, 1, { ...said[2], signature: '11'.repeat(64) } as never))).toEqual(
    unsigned,
  );
  expect(memoryOf(signers, 0).ids('key')).toEqual([]);
  expect(await host.activate(terms, said)).toMatchObject({ ok: true });
});

test('a generation that a signer has is not made again', async () => {
  const { signers, cluster } = await made('frost-secp256k1');
  const again = await makeTerms(signers, 'frost-secp256k1', 'again');
  expect(await hostOf(signers, 1).deal(again)).toMatchObject({ reason: 'the generation is not the next' });
  expect(await hostOf(signers, 1).deal({ ...again, generation: cluster.generation + 1 })).toMatchObject({ ok: true });
});

test('a signer has so many ceremonies and goes on with those that it has', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  const first = await hostOf(signers, 0).deal(terms);
  const [id = ''] = memoryOf(signers, 0).ids('ceremony');
  const record = { ...JSON.parse(memoryOf(signers, 0).read('ceremony', id) ?? ''), activated: {} };
  for (let number = 1; number < CEREMONIES_MAX; number++)
    memoryOf(signers, 0).write([{ kind: 'ceremony', id: `ended ${number}`, text: JSON.stringify(record) }]);
  expect(await hostOf(signers, 0).deal({ ...terms, id: 'one more' })).toMatchObject({ reason: 'too many ceremonies' });
  expect(await hostOf(signers, 0).deal(terms)).toEqual(first);
});

test('a ceremony that another of its key takes the place of leaves no secret behind', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-secp256k1');
  await hostOf(signers, 0).deal(terms);
  const [first = ''] = memoryOf(signers, 0).ids('ceremony');
  await hostOf(signers, 0).deal({ ...terms, id: 'second' });
  expect(memoryOf(signers, 0).read('ceremony', first)).toBeNull();
  const taproot = { ...terms, id: 'taproot', scheme: 'frost-taproot' } as const;
  await hostOf(signers, 0).deal(taproot);
  expect(memoryOf(signers, 0).ids('ceremony')).toHaveLength(2);
});

test('a key of Taproot has a script path that nobody can spend', async () => {
  const signers = testSigners();
  const terms = await makeTerms(signers, 'frost-taproot');
  const deals = await dealt(terms, signers.hosts);
  const outcome = await runCeremony(terms, signers.hosts, signers.hosts);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
  const { Point } = secp256k1;
  const sum = deals
    .map(({ commitments: [first = ''] }) => Point.fromHex(first))
    .reduce((total, point) => total.add(point));
  const inner = sum.toHex().slice(2);
  const tweak = BigInt(
    `0x${Buffer.from(schnorr.utils.taggedHash('TapTweak', Buffer.from(inner, 'hex'))).toString('hex')}`,
  );
  const output = Point.fromHex(`02${inner}`).add(Point.BASE.multiply(tweak));
  expect(clusterKeys(outcome.cluster).groupKey).toBe(output.toHex().slice(2));
});
