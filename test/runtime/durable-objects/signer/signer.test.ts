import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import type { SigningScheme } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { NonceOffer, SigningJob } from '../../../../domain/bridge/signing/bridge-signer.ts';
import type { CeremonyTerms } from '../../../../domain/bridge/signing/ceremony/ceremony.ts';
import { runCeremony } from '../../../../domain/bridge/signing/ceremony/run-ceremony.ts';
import { signPayment } from '../../../../domain/bridge/signing/coordinator.ts';
import { clusterKeys, type PublicCluster, tweakedCluster } from '../../../../domain/bridge/signing/key-share.ts';
import { JOB, PAYOUT, TERMS, World } from '../../../../domain/bridge/signing/signing.fixtures.ts';
import { verifySignature } from '../../../../domain/bridge/signing/verify-signature.ts';
import { termsCommitment } from '../../../../domain/bridge/transfer-terms.ts';
import { signersOf } from '../../../../durable-objects/signer/api.ts';
import { signerWorld } from '../../fixtures/test-signer.ts';

afterEach(() => {
  signerWorld.seen = null;
});

let runs = 0;
const fresh = () => `org-${runs++}`;

/** All that an object has of its own goes with its instance. */
async function kill(organization: string, number: number): Promise<void> {
  const end = (_: unknown, ctx: DurableObjectState) => ctx.abort('killed by a test');
  await runInDurableObject(env.BRIDGE_SIGNER.getByName(`${organization}/${number}`), end).catch(() => undefined);
}

async function killAll(organization: string): Promise<void> {
  for (let number = 0; number < 5; number++) await kill(organization, number);
}

async function termsOf(organization: string, scheme: SigningScheme): Promise<CeremonyTerms> {
  const roster = await Promise.all(signersOf(env, organization).map((signer) => signer.identity()));
  const dealers = roster.map((key, signer) => ({ signer, key }));
  return { id: 'first', organization, scheme, kind: 'make', generation: 1, roster, dealers, from: null };
}

async function madeKey(organization: string, scheme: SigningScheme): Promise<PublicCluster> {
  const outcome = await runCeremony(
    await termsOf(organization, scheme),
    signersOf(env, organization),
    signersOf(env, organization),
  );
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
  signerWorld.seen = new World(outcome.cluster);
  return outcome.cluster;
}

function jobOf(organization: string): SigningJob {
  const terms = { ...TERMS, organization };
  return { ...JOB, terms, payment: { ...PAYOUT, commitment: termsCommitment(terms) } };
}

async function pay(organization: string, cluster: PublicCluster, newSession: () => string) {
  const job = jobOf(organization);
  const unsigned = await (signerWorld.seen as World).build(job.terms, job.side, job.payment);
  const signers = signersOf(env, organization);
  const outcome = await signPayment({ cluster, signers, job, unsigned, newSession });
  if (!outcome.ok) throw new Error(outcome.reason);
  for (const [index, { bytes, tweak }] of unsigned.messages.entries()) {
    const signature = outcome.signatures[index];
    if (signature?.kind !== 'group') throw new Error('no signature of the cluster');
    const { groupKey } = clusterKeys(tweakedCluster(cluster, tweak));
    expect(verifySignature(cluster.scheme, groupKey, bytes, signature.signature)).toBe(true);
  }
  return outcome;
}

describe('signers in objects', () => {
  test.each(['frost-secp256k1', 'frost-taproot', 'frost-ed25519'] as const)(
    'make a key of %s together and sign with it, killed in between',
    async (scheme) => {
      const organization = fresh();
      const cluster = await madeKey(organization, scheme);
      await killAll(organization);
      expect(await pay(organization, cluster, () => `session-${runs++}`)).toMatchObject({
        by: [0, 1, 2],
        cheaters: [],
      });
      for (const signer of signersOf(env, organization)) expect(await signer.clusters()).toEqual([cluster]);
    },
  );

  test('take calls of their form alone', async () => {
    const organization = fresh();
    const job = jobOf(organization);
    const { payment, terms } = job;
    const wrong = [
      { ...job, payment: { ...payment, kind: 'pay' } },
      { ...job, payment: { ...payment, amount: ['1'] } },
      { ...job, terms: { ...terms, more: 1 } },
    ] as never[];
    const said = await runInDurableObject(env.BRIDGE_SIGNER.getByName(`${organization}/0`), (signer) => {
      const asked = wrong.flatMap((each) => [
        signer.offer(each, 'session'),
        signer.knowsReference(each),
        signer.sign(each, 'session', []),
      ]);
      const attested = signer.attestFunds({ ...terms, amount: '1' } as never);
      return Promise.all([...asked, attested].map((answer) => answer.then(JSON.stringify, String)));
    });
    for (const each of said) expect(each).toMatch(/^TypeError: (offer|knowsReference|sign|attestFunds): /);
  });

  test('go on with a key ceremony after each of its steps, whoever was killed', async () => {
    const organization = fresh();
    const terms = await termsOf(organization, 'frost-secp256k1');
    const each = async <Value>(ask: (signer: ReturnType<typeof signersOf>[number]) => Promise<Value>) => {
      const before = await Promise.all(signersOf(env, organization).map(ask));
      await killAll(organization);
      expect(await Promise.all(signersOf(env, organization).map(ask))).toEqual(before);
      return before.map((answer) => {
        const { ok, value } = answer as { ok: boolean; value: never };
        if (!ok) throw new Error(JSON.stringify(answer));
        return value;
      });
    };
    const deals = await each((signer) => signer.deal(terms));
    const sealed = await each((signer) => signer.seal(terms, deals));
    const confirmed = await each((signer) => signer.take(terms, deals, sealed));
    const clusters = await each((signer) => signer.activate(terms, confirmed));
    signerWorld.seen = new World(clusters[0] as never);
    await pay(organization, clusters[0] as never, () => `session-${runs++}`);
  });

  test('killed between offer and share they give the share; killed after it the same share, and none for other offers', async () => {
    const organization = fresh();
    await madeKey(organization, 'frost-secp256k1');
    const job = jobOf(organization);
    const offers: NonceOffer[] = [];
    for (const signer of signersOf(env, organization)) {
      const offer = await signer.offer(job, 'first');
      if (!offer.ok) throw new Error(offer.reason);
      offers.push(offer.value);
    }
    await killAll(organization);
    const [signer] = signersOf(env, organization) as [ReturnType<typeof signersOf>[number]];
    const share = await signer.sign(job, 'first', offers.slice(0, 3));
    expect(share).toMatchObject({ ok: true });
    await kill(organization, 0);
    expect(await signer.sign(job, 'first', offers.slice(0, 3))).toEqual(share);
    expect(await signer.sign(job, 'first', [offers[0], offers[3], offers[4]] as NonceOffer[])).toMatchObject({
      reason: 'its nonces have answered other offers',
    });
    const second = { ...job, payment: { ...job.payment, reference: 'nonce-2' } };
    expect(await signer.offer(second, 'second')).toMatchObject({ kind: 'not_yet' });
  });

  test('sign with two of them away, and not with three', async () => {
    const organization = fresh();
    const cluster = await madeKey(organization, 'frost-secp256k1');
    const job = jobOf(organization);
    const unsigned = await (signerWorld.seen as World).build(job.terms, job.side, job.payment);
    const withAway = (away: readonly number[]) =>
      signersOf(env, organization).map((signer, number) =>
        away.includes(number) ? { ...signer, offer: () => Promise.reject(new Error('away')) } : signer,
      );
    const newSession = () => `session-${runs++}`;
    const two = await signPayment({ cluster, signers: withAway([0, 3]), job, unsigned, newSession });
    expect(two).toMatchObject({ ok: true, by: [1, 2, 4] });
    const three = await signPayment({ cluster, signers: withAway([0, 3, 4]), job, unsigned, newSession });
    expect(three).toMatchObject({ ok: false, cheaters: [] });
  });

  test('keep nothing in clear, and open nothing of another signer', async () => {
    const organization = fresh();
    await madeKey(organization, 'frost-secp256k1');
    const rows = (number: number) =>
      runInDurableObject(env.BRIDGE_SIGNER.getByName(`${organization}/${number}`), (_: unknown, { storage }) =>
        storage.sql.exec<{ kind: string; id: string; text: string }>('SELECT * FROM records').toArray(),
      );
    const [own, others] = await Promise.all([rows(0), rows(1)]);
    expect(own.map(({ kind }) => kind).sort()).toEqual(['ceremony', 'identity', 'key', 'roster']);
    for (const { text } of own) expect(() => JSON.parse(text)).toThrow();
    for (const { text } of own) expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('secret');
    const identity = others.find(({ kind }) => kind === 'identity');
    await runInDurableObject(env.BRIDGE_SIGNER.getByName(`${organization}/0`), (_: unknown, { storage }) => {
      storage.sql.exec("UPDATE records SET text = ? WHERE kind = 'identity'", identity?.text ?? '');
    });
    await kill(organization, 0);
    await expect(signersOf(env, organization)[0]?.identity()).rejects.toThrow();
  });

  test('have a place among the five of an organization', async () => {
    for (const name of ['org', 'org/5', '/1', 'a/b/1']) {
      const signer = env.BRIDGE_SIGNER.getByName(name) as unknown as { identity(): Promise<string> };
      const identity = async () => await signer.identity();
      await expect(identity()).rejects.toThrow('is no signer of an organization');
    }
  });

  test('that reach no chain sign nothing, and say so', async () => {
    const organization = fresh();
    await madeKey(organization, 'frost-secp256k1');
    signerWorld.seen = null;
    expect(await signersOf(env, organization)[0]?.offer(jobOf(organization), 'first')).toMatchObject({
      ok: false,
      kind: 'not_yet',
    });
  });
});
