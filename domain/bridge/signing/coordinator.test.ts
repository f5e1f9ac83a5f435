import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { SigningScheme } from '../chains/chain-adapter.ts';
import type { BridgeSigner, NonceOffer, SignerAnswer, SignerShare, SigningOutcome } from './bridge-signer.ts';
import { ORGANIZATION } from './ceremony/ceremony.fixtures.ts';
import { signPayment } from './coordinator.ts';
import { clusterKeys, tweakedCluster } from './key-share.ts';
import type { PlainMemory } from './memory/plain-memory.fixtures.ts';
import { SignerHost } from './signer-host.ts';
import { JOB, type TestCluster, testCluster, World } from './signing.fixtures.ts';
import { verifySignature } from './verify-signature.ts';

// Key ceremonies are slow on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const SCHEMES = ['frost-secp256k1', 'frost-taproot', 'frost-ed25519', 'multisig-secp256k1'] as const;

let sessions = 0;

async function pay({ cluster, signers, world }: TestCluster, first = 0): Promise<SigningOutcome> {
  const unsigned = await world.build(JOB.terms, JOB.side, JOB.payment);
  const newSession = () => `session-${sessions++}`;
  return signPayment({ cluster, signers, job: JOB, unsigned, newSession, first });
}

async function expectSigned({ cluster, world }: TestCluster, outcome: SigningOutcome): Promise<void> {
  if (!outcome.ok) throw new Error(outcome.reason);
  const { messages } = await world.build(JOB.terms, JOB.side, JOB.payment);
  expect(outcome.by).toHaveLength(3);
  for (const [index, { bytes, tweak }] of messages.entries()) {
    const signature = outcome.signatures[index];
    const tweaked = tweakedCluster(cluster, tweak);
    if (signature?.kind === 'group')
      expect(verifySignature(cluster.scheme, clusterKeys(tweaked).groupKey, bytes, signature.signature)).toBe(true);
    else {
      expect(signature?.signatures.map(({ signer }) => signer)).toEqual(outcome.by);
      for (const { signer, signature: each } of signature?.signatures ?? [])
        expect(verifySignature(cluster.scheme, tweaked.verifyingShares[signer] ?? '', bytes, each)).toBe(true);
    }
  }
}

test.each(SCHEMES)(
  'three of five sign each message of a payment with %s, under the key that it is for',
  async (scheme) => {
    const cluster = await testCluster(scheme);
    const outcome = await pay(cluster, 3);
    await expectSigned(cluster, outcome);
    expect(outcome).toMatchObject({ by: [0, 3, 4], cheaters: [] });
  },
);

/** Each way in which a signer lies or fails. Null: it cannot be told from being away. */
type Lie = (signer: BridgeSigner) => BridgeSigner;
const flipped = (hex: string) => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`;

const LIES: Record<string, { readonly lie: Lie; readonly isNamed: boolean; readonly only?: 'frost' }> = {
  'a wrong share': {
    isNamed: true,
    lie: (signer) => ({
      ...asSigner(signer),
      sign: async (...args) =>
        mapped(
          await signer.sign(...args),
          (share): SignerShare =>
            share.kind === 'share'
              ? { kind: 'share', shares: share.shares.map((each) => `${'00'.repeat(8)}${each.slice(16)}`) }
              : { kind: 'ecdsa', signatures: share.signatures.map(flipped) },
        ),
    }),
  },
  'a share for the other message': {
    isNamed: true,
    lie: (signer) => ({
      ...asSigner(signer),
      sign: async (...args) =>
        mapped(
          await signer.sign(...args),
          (share): SignerShare =>
            share.kind === 'share'
              ? { kind: 'share', shares: share.shares.toReversed() }
              : { kind: 'ecdsa', signatures: share.signatures.toReversed() },
        ),
    }),
  },
  'a share that is none': {
    isNamed: true,
    lie: (signer) => ({
      ...asSigner(signer),
      sign: async () => ({ ok: true, value: { kind: 'share', shares: ['zz'] } }),
    }),
  },
  'a nonce that is no point': {
    isNamed: true,
    only: 'frost',
    lie: (signer) => ({
      ...asSigner(signer),
      offer: async (...args) =>
        mapped(await signer.offer(...args), (offer) => ({
          ...offer,
          commitments: offer.commitments.map(() => ({ hiding: 'ff', binding: 'ff' })),
        })),
    }),
  },
  'nonces in the name of another': {
    isNamed: true,
    only: 'frost',
    lie: (signer) => ({
      ...asSigner(signer),
      offer: async (...args) =>
        mapped(await signer.offer(...args), (offer) => ({ ...offer, signer: (offer.signer + 1) % 5 })),
    }),
  },
  'other nonces than it signs with': {
    isNamed: true,
    only: 'frost',
    lie: (signer) => {
      let own: NonceOffer | null = null;
      return {
        ...asSigner(signer),
        offer: async (job, session) =>
          mapped(await signer.offer(job, session), (offer) => {
            own = offer;
            return { ...offer, commitments: offer.commitments.toReversed() };
          }),
        sign: async (job, session, offers) =>
          signer.sign(
            job,
            session,
            offers.map((offer) => (offer.signer === own?.signer ? (own as NonceOffer) : offer)),
          ),
      };
    },
  },
  'the offer of another session again': {
    isNamed: true,
    only: 'frost',
    lie: (signer) => ({ ...asSigner(signer), offer: async (job) => signer.offer(job, 'an-old-one') }),
  },
  'the share of another session again': {
    isNamed: true,
    only: 'frost',
    lie: (signer) => {
      let old: SignerAnswer<SignerShare> | null = null;
      return {
        ...asSigner(signer),
        sign: async (...args) => {
          const share = await signer.sign(...args);
          if (old === null && share.ok && share.value.kind === 'share')
            old = {
              ok: true,
              value: { kind: 'share', shares: share.value.shares.map((_, index, all) => all[0] ?? String(index)) },
            };
          return old ?? share;
        },
      };
    },
  },
  'no answer to the first question': {
    isNamed: false,
    lie: (signer) => ({ ...asSigner(signer), offer: () => Promise.reject(new Error('away')) }),
  },
  'no answer to the second question': {
    isNamed: false,
    lie: (signer) => ({ ...asSigner(signer), sign: () => Promise.reject(new Error('away')) }),
  },
  'a refusal': {
    isNamed: false,
    lie: (signer) => ({ ...asSigner(signer), offer: async () => ({ ok: false, kind: 'refused', reason: 'no' }) }),
  },
  'another generation': {
    isNamed: false,
    only: 'frost',
    lie: (signer) => ({
      ...asSigner(signer),
      offer: async (...args) => mapped(await signer.offer(...args), (offer) => ({ ...offer, generation: 9 })),
    }),
  },
};

test.each(SCHEMES)(
  'two of five that lie in whatever way do not keep the others from signing with %s, and are named',
  { timeout: 120_000 },
  async (scheme) => {
    const names = Object.keys(LIES).filter((name) => scheme !== 'multisig-secp256k1' || LIES[name]?.only === undefined);
    for (const [index, name] of names.entries()) {
      const second = names[(index + 3) % names.length] as string;
      const cluster = await testCluster(scheme);
      const [a, b] = [0, 2];
      cluster.signers[a] = LIES[name]?.lie(cluster.signers[a] as BridgeSigner) as BridgeSigner;
      cluster.signers[b] = LIES[second]?.lie(cluster.signers[b] as BridgeSigner) as BridgeSigner;
      const outcome = await pay(cluster);
      await expectSigned(cluster, outcome);
      const named = [...(LIES[name]?.isNamed ? [a] : []), ...(LIES[second]?.isNamed ? [b] : [])];
      // Who is asked after enough have answered is not found out.
      expect(outcome.cheaters, `${name}, ${second}`).toEqual(named);
      if (outcome.ok) expect(outcome.by).toEqual([1, 3, 4]);
    }
  },
);

test('three that lie or are away leave no signature, and honest signers are not blamed', async () => {
  for (const name of Object.keys(LIES)) {
    const cluster = await testCluster();
    for (const number of [0, 2, 4])
      cluster.signers[number] = LIES[name]?.lie(cluster.signers[number] as BridgeSigner) as BridgeSigner;
    const outcome = await pay(cluster);
    expect(outcome.ok, name).toBe(false);
    for (const cheater of outcome.cheaters) expect([0, 2, 4]).toContain(cheater);
  }
});

const refusing =
  (kind: 'refused' | 'not_yet'): Lie =>
  (signer) => ({ ...asSigner(signer), offer: async () => ({ ok: false, kind, reason: 'no' }) });

test.each<[string, readonly [number, Lie][], boolean]>([
  ['three refuse it for good', [0, 1, 2].map((number) => [number, refusing('refused')]), true],
  ['three may sign it later', [0, 1, 2].map((number) => [number, refusing('not_yet')]), false],
  [
    'two refuse it for good, and one may sign it later',
    [
      [0, refusing('refused')],
      [1, refusing('refused')],
      [2, refusing('not_yet')],
    ],
    false,
  ],
  [
    'two refuse it for good, and one lies',
    [
      [0, refusing('refused')],
      [1, refusing('refused')],
      [2, LIES['a wrong share']?.lie as Lie],
    ],
    false,
  ],
])('a payment is refused for good where %s: %s', async (_, lies, isForGood) => {
  for (const scheme of ['frost-secp256k1', 'multisig-secp256k1'] as const) {
    const cluster = await testCluster(scheme);
    for (const [number, lie] of lies) cluster.signers[number] = lie(cluster.signers[number] as BridgeSigner);
    expect(await pay(cluster)).toMatchObject({ ok: false, isForGood });
  }
});

test.each([
  ['three say so', 3, true],
  ['two say so, and one refuses it for another reason', 2, false],
])('a payment is void by its reference where %s', async (_, count, isVoid) => {
  for (const scheme of ['frost-secp256k1', 'multisig-secp256k1'] as const) {
    const cluster = await testCluster(scheme);
    for (const number of [0, 1, 2]) {
      const says = number < count ? ({ isVoid: true } as const) : {};
      cluster.signers[number] = {
        ...asSigner(cluster.signers[number] as BridgeSigner),
        offer: async () => ({ ok: false, kind: 'refused', reason: 'no', ...says }),
      };
    }
    expect(await pay(cluster)).toMatchObject({ ok: false, isForGood: true, isVoid });
  }
});

test('a cluster has five signers, of which three and no more are asked while they answer', async () => {
  const cluster = await testCluster('multisig-secp256k1');
  await expect(pay({ ...cluster, signers: cluster.signers.slice(1) })).rejects.toThrow(RangeError);
  for (const scheme of ['frost-secp256k1', 'multisig-secp256k1'] as const) {
    const asked: number[] = [];
    const whole = await testCluster(scheme);
    const signers = whole.signers.map((signer, number) => ({
      ...asSigner(signer),
      offer: (...of: Parameters<BridgeSigner['offer']>) => {
        asked.push(number);
        return signer.offer(...of);
      },
    }));
    expect(await pay({ ...whole, signers }, 2)).toMatchObject({ ok: true, by: [2, 3, 4] });
    expect(asked).toEqual([2, 3, 4]);
  }
});

test('a coordinator that builds another payment than the signers gets no signature of it', async () => {
  const { cluster, signers } = await testCluster();
  const unsigned = { messages: [1, 2].map(() => ({ bytes: 'ee'.repeat(32), tweak: null })) };
  const newSession = () => `session-${sessions++}`;
  expect(await signPayment({ cluster, signers, job: JOB, unsigned, newSession })).toMatchObject({ ok: false });
});

/** What may happen at each call of a signer. */
const event = fc.constantFrom('right', 'right', 'right', 'away', 'lost answer', 'restart', 'power gone', 'twice');

test('whatever fails at whatever call: signatures are right, no nonces answer two lists, and a later try comes through', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<SigningScheme>(...SCHEMES),
      fc.array(event, { maxLength: 60 }),
      async (scheme, events) => {
        const cluster = await testCluster(scheme);
        const answered = new Map<string, string>();
        const stream = events[Symbol.iterator]();
        const watched = cluster.signers.map((_, number) => {
          let host = cluster.restarted(number);
          const memory = cluster.memories[number] as (typeof cluster.memories)[number];
          async function through<Value>(call: (signer: BridgeSigner) => Promise<SignerAnswer<Value>>) {
            const happens = stream.next().value ?? 'right';
            if (happens === 'away') throw new Error('away');
            if (happens === 'restart') host = cluster.restarted(number);
            if (happens === 'power gone') memory.failAfter(1);
            if (happens === 'twice') await call(host);
            const answer = await call(host).finally(() => memory.mend());
            if (happens === 'lost answer') throw new Error('the answer is lost');
            return answer;
          }
          return {
            knownPlaces: (terms) => through((signer) => signer.knownPlaces(terms)),
            attestFunds: (terms) => through((signer) => signer.attestFunds(terms)),
            offer: (job, session) => through((signer) => signer.offer(job, session)),
            sign: (job, session, offers) =>
              through(async (signer) => {
                const answer = await signer.sign(job, session, offers);
                const own = JSON.stringify(offers.find((offer) => offer.signer === number)?.commitments);
                if (answer.ok && scheme !== 'multisig-secp256k1') {
                  const list = JSON.stringify(offers);
                  expect(answered.get(own) ?? list).toBe(list);
                  answered.set(own, list);
                }
                return answer;
              }),
          } satisfies BridgeSigner;
        });
        const tried = await pay({ ...cluster, signers: watched });
        if (tried.ok) await expectSigned(cluster, tried);
        expect(tried.cheaters).toEqual([]);
        for (const _ of events) stream.next();
        await expectSigned(cluster, await pay({ ...cluster, signers: watched }));
      },
    ),
    { numRuns: Number(process.env.BRIDGE_SIGNING_RUNS ?? 20) },
  );
});

test.each(SCHEMES)('a signer of %s that would sign something else is left out, and not named', async (scheme) => {
  const cluster = await testCluster(scheme);
  const elsewhere = new World(cluster.cluster);
  elsewhere.messages = 1;
  const other = new SignerHost({
    organization: ORGANIZATION,
    number: 1,
    memory: cluster.memories[1] as PlainMemory,
    eyes: elsewhere,
    now: () => elsewhere.now,
  });
  const signers = cluster.signers.map((signer, number) => (number === 1 ? other : signer));
  const outcome = await pay({ ...cluster, signers });
  expect(outcome).toMatchObject({ ok: true, by: [0, 2, 3], cheaters: [] });
});

function asSigner(signer: BridgeSigner): BridgeSigner {
  return {
    knownPlaces: (terms) => signer.knownPlaces(terms),
    attestFunds: (terms) => signer.attestFunds(terms),
    offer: (job, session) => signer.offer(job, session),
    sign: (job, session, offers) => signer.sign(job, session, offers),
  };
}

function mapped<Value>(answer: SignerAnswer<Value>, map: (value: Value) => Value): SignerAnswer<Value> {
  return answer.ok ? { ok: true, value: map(answer.value) } : answer;
}
