import { expect, test, vi } from 'vitest';
import { firstIdOf } from '../../ids/created-at-of.ts';
import type { PaymentOrder } from '../chains/chain-adapter.ts';
import { placesDigest, vaultDigest } from '../places/transfer-places.ts';
import { type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import { type AttestedClaim, attestationDigest } from './attestation.ts';
import type { BridgeSigner, NonceOffer, SignerAnswer, SigningJob } from './bridge-signer.ts';
import { ecdsaRecover } from './ecdsa.ts';
import { clusterKeys, type KeyShare } from './key-share.ts';
import { CANCELLATIONS_A_DAY_MAX, CHEAP_CANCELLATIONS_A_DAY_MAX, countedChange, hasPlace } from './memory/day-bound.ts';
import { ROLLOUT_MS } from './memory/guard-rule.ts';
import { isInUse } from './memory/in-use.ts';
import { findShare, shareChanges } from './memory/key-ring.ts';
import { PlainMemory } from './memory/plain-memory.fixtures.ts';
import { readTransfer, SEEN_MAX, SIGNED_MAX, transferChange } from './memory/transfer-record.ts';
import { paymentDigest } from './payment-digest.ts';
import type { SignerHost } from './signer-host.ts';
import { signerIdentity, statementDigest } from './signer-identity.ts';
import {
  CANCEL,
  JOB,
  NOW,
  PAYOUT,
  REFUND,
  REFUND_JOB,
  TERMS,
  type TestCluster,
  testCluster,
  type World,
} from './signing.fixtures.ts';

// Key ceremonies are slow on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const other = (change: Partial<SigningJob['payment']>, job: SigningJob = JOB): SigningJob => ({
  ...job,
  payment: { ...job.payment, ...change },
});

/** Each rule: what makes a payment one that no signer signs, and what it says. */
const PAYOUT_DIGEST = paymentDigest('destination', PAYOUT);

const RULES: readonly [string, SigningJob, (world: World) => void, string][] = [
  ['of another organization', { ...JOB, terms: { ...TERMS, organization: 'other' } }, () => {}, 'another organization'],
  ['of no amount', { ...JOB, terms: { ...TERMS, amount: 0.5 } }, () => {}, 'amounts are none'],
  ['of another transfer', { ...JOB, terms: { ...TERMS, id: 'x' } }, () => {}, 'the payment is of another transfer'],
  ['to somebody else', other({ to: 'bc1mallory' }), () => {}, 'the payment goes to somebody else'],
  ['back to somebody else', other({ to: '0xmallory' }, REFUND_JOB), () => {}, 'its payer may still pay'],
  ['of another amount', other({ amount: '99900001' }), () => {}, 'another amount is to be paid'],
  ['out at the source', { ...JOB, side: 'source' }, () => {}, 'a payout goes to the destination'],
  ['back at the destination', { ...REFUND_JOB, side: 'destination' }, () => {}, 'a refund goes to the source'],
  ['without a reference', other({ reference: '' }), () => {}, 'the payment has no reference, or no amount'],
  ['that cannot be built', other({ reference: 'impossible' }), () => {}, 'the payment cannot be built'],
  [
    'without funds',
    JOB,
    (world) => {
      world.deposits = [];
    },
    'no funds have come',
  ],
  [
    'of funds that are not deep enough',
    JOB,
    (world) => {
      world.deposits = [{ reference: 'burn-1', amount: TERMS.amountIn, confirmations: 5 }];
    },
    'funds have 5 of 6 confirmations',
  ],
  [
    'of less than was quoted',
    JOB,
    (world) => {
      world.deposits = [{ reference: 'burn-1', amount: '99999999', confirmations: 6 }];
    },
    'another amount than quoted has come',
  ],
  [
    'of late funds',
    JOB,
    (world) => {
      world.deposits = [{ reference: 'burn-1', amount: TERMS.amountIn, confirmations: 6, at: TERMS.expiresAt + 1 }];
      world.now = TERMS.expiresAt + 2;
    },
    'the funds came too late',
  ],
  [
    'of funds that are first seen late',
    JOB,
    (world) => {
      world.now = TERMS.expiresAt + 1;
    },
    'the funds came too late',
  ],
  [
    'by a reference that has paid it',
    JOB,
    (world) => {
      world.statuses.set(PAYOUT.reference, { state: 'paid', transaction: 't', confirmations: 6 });
    },
    'the transfer was paid',
  ],
  [
    'by a reference that is spent',
    JOB,
    (world) => {
      world.statuses.set(PAYOUT.reference, { state: 'void', transaction: 't', confirmations: 6 });
    },
    'its reference is spent',
  ],
  [
    'back by a reference that is spent',
    REFUND_JOB,
    (world) => {
      world.statuses.set(REFUND.reference, { state: 'void', transaction: 't', confirmations: 6 });
    },
    'its reference is spent',
  ],
  [
    'back of another amount than came',
    other({ amount: '99999999' }, REFUND_JOB),
    () => {},
    'another amount than came would go back',
  ],
  [
    'that the guard has not counted',
    JOB,
    (world) => {
      world.cleared = null;
    },
    'the guard has not counted it',
  ],
  [
    'of which the guard has counted another amount',
    JOB,
    (world) => {
      world.cleared = { amount: TERMS.amount - 1, clearAt: NOW, isVetoed: false };
    },
    'the guard has counted another amount',
  ],
  [
    'that was vetoed',
    JOB,
    (world) => {
      world.cleared = { amount: TERMS.amount, clearAt: NOW, isVetoed: true };
    },
    'it was vetoed',
  ],
  [
    'that may still be challenged',
    JOB,
    (world) => {
      world.cleared = { amount: TERMS.amount, clearAt: NOW + 1, isVetoed: false };
    },
    'it may still be challenged',
  ],
  [
    'that the guard does not show',
    JOB,
    (world) => {
      world.payments = [paymentDigest('source', REFUND)];
    },
    'the guard does not show the payment',
  ],
  [
    'behind another that it is not told of',
    REFUND_JOB,
    (world) => {
      world.payments = [PAYOUT_DIGEST, paymentDigest('source', REFUND)];
    },
    'an earlier payment of the transfer is not told',
  ],
  [
    'behind another that may still go through, whoever has signed that',
    { ...REFUND_JOB, earlier: [{ side: 'destination', payment: PAYOUT }] },
    (world) => {
      world.payments = [PAYOUT_DIGEST, paymentDigest('source', REFUND)];
    },
    'another payment of the transfer may still go through',
  ],
  [
    'behind another that is void, and not deep enough',
    { ...REFUND_JOB, earlier: [{ side: 'destination', payment: PAYOUT }] },
    (world) => {
      world.payments = [PAYOUT_DIGEST, paymentDigest('source', REFUND)];
      world.statuses.set(PAYOUT.reference, { state: 'void', transaction: 'cancelled', confirmations: 5 });
    },
    'another payment of the transfer may still go through',
  ],
  [
    'behind another that has gone through',
    { ...REFUND_JOB, earlier: [{ side: 'destination', payment: PAYOUT }] },
    (world) => {
      world.payments = [PAYOUT_DIGEST, paymentDigest('source', REFUND)];
      world.statuses.set(PAYOUT.reference, { state: 'paid', transaction: 'paid', confirmations: 1 });
    },
    'the transfer was paid',
  ],
  [
    'that the hardware module has to sign, and has not',
    JOB,
    (world) => {
      world.coSignFrom = TERMS.amount;
    },
    'the hardware module has not signed',
  ],
  [
    'that somebody else has signed for the module',
    { ...JOB, coSignature: 'forged' },
    (world) => {
      world.coSignFrom = TERMS.amount;
    },
    'the hardware module has not signed this',
  ],
  [
    'of more messages than a payment has',
    JOB,
    (world) => {
      world.messages = 21;
    },
    'the payment has nothing to sign, or too much',
  ],
  [
    'of nothing',
    JOB,
    (world) => {
      world.messages = 0;
    },
    'the payment has nothing to sign, or too much',
  ],
  [
    'while it is blind',
    JOB,
    (world) => {
      world.isBlind = true;
    },
    'it cannot see: the node is away',
  ],
];

test.each(RULES)('a signer signs no payment %s', async (_, job, change, reason) => {
  const { world, signers, memories } = await testCluster();
  const [signer] = signers as [BridgeSigner];
  change(world);
  expect(await signer.offer(job, 'first')).toMatchObject({ ok: false, reason });
  expect(memories[0]?.ids('session')).toEqual([]);
});

test('a signer signs a payment that all see once each before it is void; what stands behind it is no matter', async () => {
  const { world, signers } = await testCluster();
  const [first] = signers as [BridgeSigner];
  world.payments = [PAYOUT_DIGEST, paymentDigest('source', REFUND)];
  expect(await first.offer(JOB, 'payout')).toMatchObject({ ok: true });
  const refund = { ...REFUND_JOB, earlier: [{ side: 'destination' as const, payment: PAYOUT }] };
  world.statuses.set(PAYOUT.reference, { state: 'void', transaction: 'cancelled', confirmations: 6 });
  expect(await first.offer(refund, 'refund')).toMatchObject({ ok: true });
});

test('a signer signs a refund of what the ledger was to pay once that can never be paid, and asks for nothing of the ledger before all else is right', async () => {
  const { world, signers } = await testCluster();
  const [signer] = signers as [BridgeSigner];
  const source = { ...TERMS.source, chain: 'bitcoin-taproot' } as TransferTerms['source'];
  const terms = { ...TERMS, source, destination: { kind: 'account', account: 'alice' } } as const;
  const refund = { ...REFUND, commitment: termsCommitment(terms) };
  const job = { ...REFUND_JOB, terms, payment: refund };
  world.payments = [];
  expect(await signer.offer(job, 'first')).toMatchObject({ reason: 'the guard does not show the payment' });
  world.payments = [paymentDigest('source', refund)];
  expect(await signer.offer({ ...job, payment: { ...refund, amount: '1' } }, 'first')).toMatchObject({ ok: false });
  expect(world.voided).toEqual([]);
  const offers = await offersOf({ ...(await testCluster()), signers }, job, 'first');
  expect(world.voided).toEqual([TERMS.id, TERMS.id, TERMS.id]);
  world.isPaidByLedger = true;
  expect(await signer.sign(job, 'first', offers)).toMatchObject({ kind: 'refused', reason: 'the transfer was paid' });
  expect(await signer.offer(job, 'second')).toMatchObject({ kind: 'refused', reason: 'the transfer was paid' });
});

test('what the guard shows for another transfer is void of a transfer that began once all five signers go by that, and of no earlier one', async () => {
  const { world, signers } = await testCluster();
  const [signer] = signers as [BridgeSigner];
  const places = await world.places();
  world.places = async () => ({
    ...places,
    destination: places.destination && { ...places.destination, chain: 'near' },
  });
  expect(await signer.offer(JOB, 'since')).toMatchObject({ ok: true });
  world.shownFor = async () => ['another transfer'];
  world.statuses.set(PAYOUT.reference, { state: 'paid', transaction: 'tx', confirmations: 6 });
  world.now = NOW + 2 * ROLLOUT_MS;
  for (const [begunAt, answer] of [
    [NOW + ROLLOUT_MS, { ok: false, reason: 'the transfer was paid' }],
    [NOW + ROLLOUT_MS + 1, { ok: true }],
  ] as const) {
    const terms = { ...TERMS, id: firstIdOf(begunAt) };
    const of = (job: SigningJob) => other({ commitment: termsCommitment(terms) }, { ...job, terms });
    const [payout, refund] = [of(JOB), of(REFUND_JOB)];
    world.payments = [payout, refund].map(({ side, payment }) => paymentDigest(side, payment));
    expect(await signer.offer({ ...refund, earlier: [payout] }, `back-${begunAt}`)).toMatchObject(answer);
  }
});

test('what was right when nonces were offered has to be right when the share is asked for', async () => {
  const cluster = await testCluster();
  for (const [index, [, job, change, reason]] of RULES.entries()) {
    if (job !== JOB) continue;
    const { world, signers } = await testCluster();
    const offers = await offersOf({ ...cluster, signers }, JOB, `session-${index}`);
    change(world);
    expect(await signers[0]?.sign(JOB, `session-${index}`, offers)).toMatchObject({ ok: false, reason });
  }
});

test('a vault whose key the signer has no share of gets no signature, and what is paid into it is no deposit', async () => {
  const { world, signers } = await testCluster();
  const own = await world.vaultKeys();
  const others = { scheme: 'frost-secp256k1', groupKey: `02${'11'.repeat(32)}`, signerKeys: [] } as const;
  const ofSide = (foreign: 'source' | 'destination') => {
    const keysAt = async (_: TransferTerms, side: string) => (side === foreign ? others : own);
    world.vaultKeys = keysAt as typeof world.vaultKeys;
  };
  ofSide('destination');
  expect(await signers[0]?.offer(JOB, 'first')).toMatchObject({
    kind: 'refused',
    reason: 'the vault has a key that this signer has no share of',
  });
  expect(await signers[0]?.attestFunds(TERMS)).toMatchObject({ ok: true });
  ofSide('source');
  const reason = 'the vault of the source has a key that this signer has no share of';
  expect(await signers[0]?.attestFunds(TERMS)).toMatchObject({ kind: 'not_yet', reason });
  expect(await signers[0]?.offer(JOB, 'second')).toMatchObject({ kind: 'refused', reason });
});

test('a signer is in use once it has seen funds, and not by a cancellation', async () => {
  const { world, signers, memories } = await testCluster();
  const memory = memories[0] as PlainMemory;
  world.deposits = [];
  await signers[0]?.attestFunds(TERMS);
  await signers[0]?.offer({ ...JOB, payment: CANCEL }, 'cancelled');
  expect(isInUse(memory)).toBe(false);
  world.deposits = [{ reference: 'burn-1', amount: TERMS.amountIn, confirmations: 0 }];
  await signers[0]?.attestFunds(TERMS);
  expect(isInUse(memory)).toBe(true);
});

test('a signer says by which places it would judge a transfer, whose keys it has all', async () => {
  const { world, signers } = await testCluster();
  const known = await signers[0]?.knownPlaces(TERMS);
  expect(known).toEqual({ ok: true, value: placesDigest(await world.places()) });
  expect(await signers[1]?.knownPlaces(TERMS)).toEqual(known);
  world.wrapped = 'another';
  expect(await signers[0]?.knownPlaces(TERMS)).not.toEqual(known);
  expect(await signers[0]?.knownPlaces({ ...TERMS, organization: 'other' })).toMatchObject({ kind: 'refused' });
  world.isBlind = true;
  expect(await signers[0]?.knownPlaces(TERMS)).toMatchObject({ kind: 'not_yet' });
  world.isBlind = false;
  const { source, destination, guard, scale } = await world.places();
  if (source === null || destination === null) throw new Error('both are on a chain');
  const keys = { ...source.keys, groupKey: '02'.repeat(33) };
  for (const foreign of [
    { guard, scale, source: { ...source, keys }, destination },
    { guard, scale, source, destination: { ...destination, keys } },
    { guard, scale: 7, source, destination },
  ]) {
    world.places = async () => foreign;
    expect(await signers[0]?.knownPlaces(TERMS)).toMatchObject({ kind: 'refused' });
  }
  world.places = async () => ({ guard, scale: 7, source, destination });
  const reason = 'the amounts on chain are not the one that is counted';
  expect(await signers[0]?.attestFunds(TERMS)).toEqual({ ok: false, kind: 'refused', reason });
  world.places = async () => ({ guard, scale, source: null, destination });
  expect(await signers[0]?.knownPlaces(TERMS)).toMatchObject({ ok: true });
});

test('a signer gives its word on funds that it has seen, deep enough and as quoted, by its own key', async () => {
  const { world, signers, memories } = await testCluster();
  const word = valueFrom(await (signers[2] as BridgeSigner).attestFunds(TERMS));
  const digest = statementDigest(['edge.bridge.funds.v1', termsCommitment(TERMS), TERMS.amountIn]);
  expect(word).toMatchObject({ signer: 2, digest, claim: null });
  expect(ecdsaRecover(digest, word.signature)).toBe(signerIdentity(memories[2] as never).key);
  world.deposits = [{ reference: 'burn-1', amount: TERMS.amountIn, confirmations: 5 }];
  expect(await signers[2]?.attestFunds(TERMS)).toMatchObject({ kind: 'not_yet' });
  world.deposits = [{ reference: 'burn-1', amount: '1', confirmations: 6 }];
  expect(await signers[2]?.attestFunds(TERMS)).toMatchObject({ kind: 'not_yet' });
  world.deposits = [{ reference: 'burn-1', amount: '1', confirmations: 6, payer: '0xfrom' }];
  expect(await signers[2]?.attestFunds(TERMS)).toMatchObject({ kind: 'refused' });
  expect(await signers[2]?.attestFunds({ ...TERMS, organization: 'other' })).toMatchObject({ kind: 'refused' });
});

test('what a signer says of funds can be proved wrong where it has its stake, and is one thing for good', async () => {
  const { world, signers, memories } = await testCluster();
  const [wrapped, stake] = ['11', '22'].map((byte) => `0x${byte.repeat(20)}`) as [string, string];
  world.staked = { chainId: 8_675_311, stake, wrapped };
  const terms = { ...TERMS, source: { kind: 'chain', chain: 'exchange', address: `0x${'33'.repeat(20)}` } } as const;
  const word = valueFrom(await (signers[1] as BridgeSigner).attestFunds(terms));
  const burn = { wrapped, burner: terms.source.address, amount: TERMS.amountIn };
  expect(word.claim).toMatchObject({
    kind: 'funds',
    subject: termsCommitment(terms),
    signer: 1,
    burn,
    dueAt: Math.ceil(terms.expiresAt / 1_000),
  });
  expect(word.digest).toBe(attestationDigest(word.claim as AttestedClaim));
  expect(ecdsaRecover(word.digest, word.signature)).toBe(signerIdentity(memories[1] as never).key);
  world.deposits = [{ reference: 'burn-2', amount: TERMS.amountIn, confirmations: 9 }];
  world.now += 5_000;
  const again = valueFrom(await (signers[1] as BridgeSigner).attestFunds(terms));
  expect(again).toEqual(word);
});

test('funds that a signer saw in time are in time, however long their confirmations take', async () => {
  const { world, signers, restarted } = await testCluster();
  world.deposits = [{ reference: 'burn-1', amount: TERMS.amountIn, confirmations: 0 }];
  await signers[0]?.attestFunds(TERMS);
  world.deposits = [{ reference: 'burn-1', amount: TERMS.amountIn, confirmations: 6 }];
  world.now = TERMS.expiresAt + 1;
  expect(await restarted(0).attestFunds(TERMS)).toMatchObject({ ok: true });
  expect(await signers[1]?.attestFunds(TERMS)).toMatchObject({ ok: false, reason: 'the funds came too late' });
});

test('funds that came late by their block, and were seen in time before it, are in time; by their block alone, too', async () => {
  const { world, signers } = await testCluster();
  world.deposits = [{ reference: 'burn-1', amount: TERMS.amountIn, confirmations: 0 }];
  await signers[0]?.attestFunds(TERMS);
  world.now = TERMS.expiresAt + 2;
  world.deposits = [{ reference: 'burn-1', amount: TERMS.amountIn, confirmations: 6, at: TERMS.expiresAt + 1 }];
  expect(await signers[0]?.attestFunds(TERMS)).toMatchObject({ ok: true });
  expect(await signers[1]?.attestFunds(TERMS)).toMatchObject({ ok: false, reason: 'the funds came too late' });
  world.deposits = [{ reference: 'burn-1', amount: TERMS.amountIn, confirmations: 6, at: TERMS.expiresAt }];
  expect(await signers[2]?.attestFunds(TERMS)).toMatchObject({ ok: true });
});

test('a debit is in time, whenever a signer first sees it', async () => {
  const { world, signers } = await testCluster();
  const terms = { ...TERMS, source: { kind: 'account', account: 'alice' } } as const;
  world.now = TERMS.expiresAt + 1;
  expect(await signers[0]?.attestFunds(terms)).toMatchObject({ ok: true });
  const payment = { ...PAYOUT, commitment: termsCommitment(terms) };
  expect(await signers[1]?.offer({ ...JOB, terms, payment }, 'first')).toMatchObject({ ok: true });
});

test('what a reference is spent by counts once it is deep', async () => {
  const { world, signers } = await testCluster();
  for (const state of ['paid', 'void'] as const) {
    world.statuses.set(PAYOUT.reference, { state, transaction: 't', confirmations: 5 });
    expect(await signers[0]?.offer(JOB, state)).toMatchObject({ kind: 'not_yet', reason: 'its reference is spent' });
  }
});

test('a speck that somebody pays in before or behind the funds takes nothing from them', async () => {
  const speck = { reference: 'speck', amount: '330', confirmations: 9 };
  const funds = { reference: 'burn-1', amount: TERMS.amountIn, confirmations: 6 };
  const { world, signers } = await testCluster();
  const [, , three] = signers as [BridgeSigner, BridgeSigner, BridgeSigner];
  const refundOf = (amount: string): SigningJob => ({ ...REFUND_JOB, payment: { ...REFUND, amount } });
  for (const [number, deposits] of [
    [speck, funds],
    [funds, speck],
  ].entries()) {
    world.deposits = deposits;
    expect(await three.attestFunds(TERMS)).toMatchObject({ ok: true });
    expect(await three.offer(JOB, `payout.${number}`)).toMatchObject({ ok: true });
    expect(await three.offer(refundOf(TERMS.amountIn), `refund.${number}`)).toMatchObject({ ok: true });
    expect(await three.offer(refundOf('330'), `speck.${number}`)).toMatchObject({ ok: true });
    expect(await three.offer(refundOf('331'), `none.${number}`)).toMatchObject({ kind: 'refused' });
  }
  world.deposits = [speck, { ...funds, confirmations: 5 }];
  expect(await three.attestFunds(TERMS)).toMatchObject({ kind: 'not_yet' });
  expect(await three.offer(refundOf(TERMS.amountIn), 'shallow')).toMatchObject({ kind: 'not_yet' });
});

test('a speck that comes to a balance once its refund is fixed does not keep it', async () => {
  const { world, signers } = await testCluster();
  const [one] = signers as [BridgeSigner];
  const balance = { reference: 'account', amount: TERMS.amountIn, confirmations: 6, isBalance: true } as const;
  world.deposits = [balance];
  const offer = await one.offer(REFUND_JOB, 'before');
  world.deposits = [{ ...balance, amount: `${BigInt(TERMS.amountIn) + 1n}` }];
  expect(await one.offer(REFUND_JOB, 'before')).toEqual(offer);
  const rest = { ...REFUND, reference: 'another', amount: '1' };
  expect(await one.offer({ ...REFUND_JOB, payment: rest }, 'rest')).toMatchObject({ kind: 'refused' });
});

test('what a refund has left is given back once that is void, and not where it was paid', async () => {
  const { world, memories, restarted } = await testCluster();
  const left = { ...REFUND, reference: 'second', amount: '5' };
  const first = { side: 'source', payment: REFUND } as const;
  world.deposits = [{ reference: 'account', amount: '5', confirmations: 6, isBalance: true }];
  world.payments = [paymentDigest('source', REFUND), paymentDigest('source', left)];
  const job = { ...REFUND_JOB, payment: left, earlier: [first] };
  for (const signed of [[], [first]]) {
    const commitment = termsCommitment(TERMS);
    memories[0]?.write([transferChange(commitment, { seen: [], signed })]);
    for (const [status, answer] of [
      [{ state: 'unspent' }, { kind: 'not_yet' }],
      [
        { state: 'paid', transaction: 't', confirmations: 6 },
        { kind: 'refused', reason: 'the transfer was paid' },
      ],
      [{ state: 'void', transaction: 't', confirmations: 6 }, { ok: true }],
    ] as const) {
      world.statuses.set(REFUND.reference, status);
      expect(await restarted(0).offer(job, `of.${signed.length}.${status.state}`)).toMatchObject(answer);
    }
  }
});

test('a session has the same offer for one job, also after a restart, and none for another', async () => {
  const { signers, restarted } = await testCluster();
  const offer = await signers[0]?.offer(JOB, 'first');
  expect(offer).toMatchObject({ ok: true, value: { commitments: [{}, {}] } });
  expect(await restarted(0).offer(JOB, 'first')).toEqual(offer);
  expect(await restarted(0).offer(REFUND_JOB, 'first')).toMatchObject({ reason: 'the session is of another job' });
  expect(await signers[0]?.offer(JOB, 'second')).not.toEqual(offer);
  expect(await signers[0]?.offer(JOB, '../etc')).toMatchObject({ ok: false, reason: 'no session' });
});

test('nonces answer one list of offers: the same list gets the same share, another gets none', async () => {
  const cluster = await testCluster();
  const [signer] = cluster.signers as [BridgeSigner];
  const offers = await offersOf(cluster, JOB, 'first');
  const share = await signer.sign(JOB, 'first', offers);
  expect(share.ok).toBe(true);
  expect(await cluster.restarted(0).sign(JOB, 'first', offers)).toEqual(share);
  const [zero, one] = offers as [NonceOffer, NonceOffer];
  const four = valueFrom(await (cluster.signers[4] as BridgeSigner).offer(JOB, 'first'));
  for (const host of [signer, cluster.restarted(0)])
    expect(await host.sign(JOB, 'first', [zero, one, four])).toMatchObject({
      reason: 'its nonces have answered other offers',
    });
});

test('nonces are gone from the disk before the share leaves it, and on it before the offer does', async () => {
  const cluster = await testCluster();
  const memory = cluster.memories[0] as (typeof cluster.memories)[number];
  memory.failAfter(0);
  expect(await cluster.signers[0]?.offer(JOB, 'first')).toMatchObject({ ok: false });
  memory.mend();
  const offers = await offersOf(cluster, JOB, 'first');
  const [nonce] = JSON.parse(memory.read('session', memory.ids('session')[0] as string) as string).nonces;
  for (const changes of [0, 1]) {
    memory.failAfter(changes);
    expect(await cluster.restarted(0).sign(JOB, 'first', offers)).toMatchObject({ ok: false });
  }
  memory.mend();
  expect(await cluster.restarted(0).sign(JOB, 'first', offers)).toMatchObject({ ok: true });
  for (const text of memory.records.values()) {
    expect(text).not.toContain(nonce.hiding);
    expect(text).not.toContain(nonce.binding);
  }
});

const WRONG_OFFERS: readonly [string, (offers: NonceOffer[]) => NonceOffer[], string][] = [
  ['two', (offers) => offers.slice(0, 2), 'not 3 offers'],
  ['one of them twice', ([a, b]) => [a, b, b] as NonceOffer[], 'offers are not of three signers'],
  ['a sixth signer', ([a, b, c]) => [a, b, { ...c, signer: 5 }] as NonceOffer[], 'offers are not of three signers'],
  [
    'its own changed',
    ([a, b, c]) => [{ ...a, commitments: b?.commitments }, b, c] as NonceOffer[],
    'its own offer is not among them',
  ],
  [
    'another session',
    ([a, b, c]) => [a, b, { ...c, session: 'x' }] as NonceOffer[],
    'offers are of another session or generation',
  ],
  [
    'another generation',
    ([a, b, c]) => [a, b, { ...c, generation: 2 }] as NonceOffer[],
    'offers are of another session or generation',
  ],
  [
    'fewer nonces',
    ([a, b, c]) => [a, b, { ...c, commitments: [] }] as NonceOffer[],
    'offers are of another session or generation',
  ],
  [
    'no points',
    ([a, b, c]) => [a, b, { ...c, commitments: [1, 2].map(() => ({ hiding: '00', binding: '00' })) }] as NonceOffer[],
    'an offer cannot be read',
  ],
];

test.each(WRONG_OFFERS)('offers with %s are not signed with, and cost no nonces', async (_, change, reason) => {
  const cluster = await testCluster();
  const offers = await offersOf(cluster, JOB, 'first');
  const [signer] = cluster.signers as [BridgeSigner];
  expect(await signer.sign(JOB, 'first', change([...offers]))).toMatchObject({ ok: false, reason });
  expect(await signer.sign(JOB, 'first', offers)).toMatchObject({ ok: true });
  expect(await signer.sign(JOB, 'unknown', offers)).toMatchObject({ ok: false, reason: 'no such session' });
});

/** Signs the payout first; then a second payment of the same transfer. */
async function afterPayout(scheme: Parameters<typeof testCluster>[0] = 'frost-secp256k1') {
  const cluster = await testCluster(scheme);
  const offers = await offersOf(cluster, JOB, 'first');
  expect(await cluster.signers[0]?.sign(JOB, 'first', offers)).toMatchObject({ ok: true });
  const second = other({ reference: 'nonce-2' });
  return { ...cluster, signer: cluster.restarted(0), second };
}

test('a transfer is not paid twice, nor paid and given back, while the first payment may go through', async () => {
  const { signer, world, second } = await afterPayout();
  for (const job of [second, REFUND_JOB]) {
    expect(await signer.offer(job, 'again')).toMatchObject({
      reason: 'another payment of the transfer may still go through',
    });
    world.statuses.set('nonce-1', { state: 'void', transaction: 't', confirmations: 5 });
    expect(await signer.offer(job, 'again')).toMatchObject({
      reason: 'another payment of the transfer may still go through',
    });
    world.statuses.set('nonce-1', { state: 'paid', transaction: 't', confirmations: 1 });
    expect(await signer.offer(job, 'again')).toMatchObject({ kind: 'refused', reason: 'the transfer was paid' });
    world.statuses.clear();
  }
  world.statuses.set('nonce-1', { state: 'void', transaction: 't', confirmations: 6 });
  expect(await signer.offer(second, 'second')).toMatchObject({ ok: true });
  expect(await signer.offer(JOB, 'the-same')).toMatchObject({ kind: 'refused', reason: 'its reference is spent' });
  expect(await signer.offer(other({ reference: 'nonce-1', amount: '1' }, REFUND_JOB), 'x')).toMatchObject({
    ok: false,
  });
});

test('two payments of a transfer that are asked for at once do not both get a share', async () => {
  const cluster = await testCluster();
  const second = other({ reference: 'nonce-2' });
  const jobs = [JOB, second, REFUND_JOB];
  const offers = await Promise.all(jobs.map((job, index) => offersOf(cluster, job, `session-${index}`)));
  const [signer] = cluster.signers as [BridgeSigner];
  const answers = await Promise.all(
    jobs.map((job, index) => signer.sign(job, `session-${index}`, offers[index] as NonceOffer[])),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
});

/** Each transfer has a reference of its own. */
const payoutOf = (terms: TransferTerms): PaymentOrder => ({
  ...PAYOUT,
  commitment: termsCommitment(terms),
  reference: `nonce-of-${terms.expiresAt}`,
});

test('B-02: a signer cancels so many payments of a vault within a day that it has not signed, whatever transfers they are of, and the same again', async () => {
  const cluster = await testCluster();
  const { world } = cluster;
  const cancellation = (number: number): SigningJob => {
    const terms = { ...TERMS, expiresAt: TERMS.expiresAt + number };
    const payout = payoutOf(terms);
    const payment = { ...CANCEL, commitment: payout.commitment, reference: payout.reference };
    return { ...JOB, terms, payment, earlier: [{ side: 'destination', payment: payout }] };
  };
  world.announced = async (terms = TERMS) => [paymentDigest('destination', payoutOf(terms))];
  const cancel = async (number: number, session = `cancel-${number}`) => {
    const job = cancellation(number);
    const first = await cluster.signers[0]?.offer(job, session);
    if (first?.ok !== true) return first;
    return cluster.restarted(0).sign(job, session, await offersOf(cluster, job, session));
  };
  for (let number = 0; number < CANCELLATIONS_A_DAY_MAX; number += 1) {
    world.now = NOW + number;
    expect(await cancel(number)).toMatchObject({ ok: true });
  }
  const tooMany = { kind: 'not_yet', reason: 'too many payments were cancelled within a day' };
  expect(await cancel(99)).toMatchObject(tooMany);
  expect(await cancel(0, 'again')).toMatchObject({ ok: true });
  world.now = NOW - 1;
  expect(await cancel(99)).toMatchObject(tooMany);
  // All but two are younger than a day.
  world.now = NOW + 86_400_001;
  expect(await cancel(99)).toMatchObject({ ok: true });
  expect(await cancel(98)).toMatchObject({ ok: true });
  expect(await cancel(97, 'late')).toMatchObject(tooMany);
  // What was signed days ago takes no place when it is signed again.
  expect(await cancel(0, 'days-later')).toMatchObject({ ok: true });
  world.now = NOW + 86_400_001 + CANCELLATIONS_A_DAY_MAX;
  expect(await cancel(97, 'later')).toMatchObject({ ok: true });
});

test('cancellations of one vault take no place of another, and where fees are cents there are many more places', () => {
  const memory = new PlainMemory();
  const keys = { scheme: 'frost-ed25519', groupKey: '11'.repeat(32), signerKeys: [] } as const;
  const vault = { network: 'mainnet', keys, contract: null, token: null, decimals: 8 } as const;
  const counted = (chain: 'xrpl' | 'cardano', order: number, change = {}) => ({
    vault: { ...vault, chain },
    order: String(order),
    isDear: false,
    isCancel: true,
    ...change,
  });
  for (let number = 0; number < CANCELLATIONS_A_DAY_MAX; number += 1)
    memory.write([countedChange(memory, counted('cardano', number), NOW)]);
  expect(hasPlace(memory, counted('cardano', 99), NOW)).toBe(false);
  expect(hasPlace(memory, counted('cardano', 99, { isCancel: false, isDear: true }), NOW)).toBe(true);
  const token = { vault: { ...vault, chain: 'cardano', token: 'ab' } } as const;
  expect(hasPlace(memory, counted('cardano', 99, token), NOW)).toBe(false);
  for (let number = 0; number < CHEAP_CANCELLATIONS_A_DAY_MAX; number += 1) {
    expect(hasPlace(memory, counted('xrpl', number), NOW)).toBe(true);
    memory.write([countedChange(memory, counted('xrpl', number), NOW)]);
  }
  expect(hasPlace(memory, counted('xrpl', -1), NOW)).toBe(false);
  expect(hasPlace(memory, counted('xrpl', 0), NOW)).toBe(true);
});

test('a signer writes down that a transfer is paid out, once it sees that, and spends its deposit after its chain has forgotten', async () => {
  const cluster = await testCluster();
  const { world, signers } = cluster;
  const other: TransferTerms = { ...TERMS, id: '0192f0c1-2f3a-7000-8000-000000000003' };
  const payment: PaymentOrder = { ...PAYOUT, commitment: termsCommitment(other), reference: 'nonce-3' };
  const paidOut = { terms: other, payment };
  const note = () => (signers[0] as SignerHost).notePaidOut(paidOut);
  expect(await note()).toMatchObject({ kind: 'not_yet', reason: 'it is not paid out' });
  world.statuses.set('nonce-3', { state: 'paid', transaction: 'tx', confirmations: 6 });
  expect(await note()).toEqual({ ok: true, value: true });
  const foreign = { ...paidOut, terms: { ...other, organization: 'another' } };
  expect(await (signers[0] as SignerHost).notePaidOut(foreign)).toMatchObject({ reason: 'another organization' });
  world.status = async () => {
    throw new Error('the history of the node does not go back so far');
  };
  world.reference = { fault: null, spends: [payment.commitment] };
  expect(await cluster.restarted(0).notePaidOut(paidOut)).toEqual({ ok: true, value: true });
  world.status = async () => ({ state: 'unspent' });
  const job: SigningJob = { ...JOB, paidOut: [paidOut] };
  expect(await cluster.restarted(0).offer(job, 'noted')).toMatchObject({ ok: true });
  expect(await signers[1]?.offer(job, 'unnoted')).toMatchObject({ kind: 'not_yet' });
});

test('a signer finds funds that it has seen behind whatever strangers pay in, and those that a refund says it spends', async () => {
  const { world, signers } = await testCluster();
  const reference = `${'ab'.repeat(32)}:0`;
  world.deposits = [{ reference, amount: TERMS.amountIn, confirmations: 6 }];
  const [seeing, away] = signers as [SignerHost, SignerHost];
  expect(await seeing.attestFunds(TERMS)).toMatchObject({ ok: true });
  world.isFlooded = true;
  expect(await seeing.attestFunds(TERMS)).toMatchObject({ ok: true });
  expect(await seeing.offer(JOB, 'seen')).toMatchObject({ ok: true });
  expect(await away.attestFunds(TERMS)).toMatchObject({ kind: 'not_yet', reason: 'no funds have come' });
  expect(await away.offer(JOB, 'unseen')).toMatchObject({ kind: 'not_yet', reason: 'no funds have come' });
  const inputs = [{ txid: 'ab'.repeat(32), vout: 0 }];
  const refund = { ...REFUND_JOB, payment: { ...REFUND, reference: JSON.stringify({ inputs }) } };
  expect(await away.offer(refund, 'back')).toMatchObject({ ok: true });
  // Whoever has seen it says so: the signer's own node says whether it is there.
  for (const made of ['made up', `${'cd'.repeat(32)}:0`]) {
    expect(await away.attestFunds(TERMS, made)).toMatchObject({ reason: 'no funds have come' });
    expect(await away.offer({ ...JOB, deposit: made }, 'told')).toMatchObject({ reason: 'no funds have come' });
  }
  expect(await away.offer({ ...JOB, deposit: reference }, 'told')).toMatchObject({ ok: true });
  expect(await away.attestFunds(TERMS, reference)).toMatchObject({ ok: true });
});

test('B-04: a signer pays one debit of the ledger once, by whatever terms of its id it is asked', async () => {
  const cluster = await testCluster();
  cluster.world.shownFor = async () => null;
  const terms: TransferTerms = { ...TERMS, source: { kind: 'account', account: 'alice' } };
  const jobOf = (of: TransferTerms, reference: string): SigningJob => ({
    ...JOB,
    terms: of,
    payment: { ...PAYOUT, commitment: termsCommitment(of), to: addressOf(of), reference },
  });
  const addressOf = ({ destination }: TransferTerms) => (destination.kind === 'chain' ? destination.address : '');
  const other = { ...terms, expiresAt: terms.expiresAt + 1 };
  const [first, second] = [jobOf(terms, 'nonce-1'), jobOf(other, 'nonce-2')];
  // Offered to both: the first that is signed is the only one.
  const offers = await offersOf(cluster, first, 'first');
  const others = await offersOf(cluster, second, 'second');
  const [signer] = cluster.signers as [SignerHost];
  expect(await signer.sign(first, 'first', offers)).toMatchObject({ ok: true });
  const reason = 'its debit has paid other terms of the same id';
  expect(await signer.sign(second, 'second', others)).toEqual({ ok: false, kind: 'refused', reason });
  expect(await cluster.restarted(0).offer(second, 'third')).toEqual({ ok: false, kind: 'refused', reason });
  expect(await cluster.restarted(0).offer(first, 'again')).toMatchObject({ ok: true });
});

test('a signer says whether it knows what a reference states, of its own organization alone, and when it can see', async () => {
  const { world, signers } = await testCluster();
  const [signer] = signers as [SignerHost];
  world.payments = [];
  expect(await signer.knowsReference(JOB)).toEqual({ ok: true, value: true });
  const foreign = { ...JOB, terms: { ...TERMS, organization: 'another' } };
  expect(await signer.knowsReference(foreign)).toMatchObject({ kind: 'refused', reason: 'another organization' });
  world.checkReference = async () => {
    throw new Error('no such coin');
  };
  expect(await signer.knowsReference(JOB)).toEqual({
    ok: false,
    kind: 'not_yet',
    reason: 'it cannot see: no such coin',
  });
});

test('a signer says before funds come that a transfer brings less than its lane asks for', async () => {
  const { world, signers } = await testCluster();
  const places = await world.places();
  expect(await signers[0]?.knownPlaces(TERMS)).toMatchObject({ ok: true });
  world.places = async () => ({ ...places, least: { leastAmount: 1, flatFee: TERMS.fee + 1 } });
  const reason = 'it brings less than its lane asks for';
  expect(await signers[0]?.knownPlaces(TERMS)).toEqual({ ok: false, kind: 'refused', reason });
});

test('what refutes the recovery of a contract stands in no transfer’s record, however often it is asked for', async () => {
  const cluster = await testCluster();
  cluster.world.isRecovered = true;
  for (let number = 0; number < SIGNED_MAX; number += 1) {
    const payment = { ...CANCEL, reference: `unused-${number}` };
    const job: SigningJob = { ...JOB, payment };
    const offers = await offersOf(cluster, job, `refutes-${number}`);
    expect(await cluster.signers[0]?.sign(job, `refutes-${number}`, offers)).toMatchObject({ ok: true });
  }
  expect(cluster.memories[0]?.read('transfer', termsCommitment(TERMS)) ?? '{"signed":[]}').toContain('"signed":[]');
  cluster.world.isRecovered = false;
  expect(await cluster.signers[0]?.offer(REFUND_JOB, 'goes-back')).toMatchObject({ ok: true });
});

test('B-02: two cancellations that are asked for at once take one place of the day each', async () => {
  const cluster = await testCluster();
  const { world } = cluster;
  world.announced = async (terms = TERMS) => [paymentDigest('destination', payoutOf(terms))];
  const jobs = Array.from({ length: CANCELLATIONS_A_DAY_MAX + 1 }, (_, number): SigningJob => {
    const terms = { ...TERMS, expiresAt: TERMS.expiresAt + number };
    const payout = payoutOf(terms);
    const { commitment, reference } = payout;
    const earlier = [{ side: 'destination', payment: payout } as const];
    return { ...JOB, terms, payment: { ...CANCEL, commitment, reference }, earlier };
  });
  const offers: NonceOffer[][] = [];
  for (const [number, job] of jobs.entries()) offers.push(await offersOf(cluster, job, `at-once-${number}`));
  const answers = await Promise.all(
    jobs.map((job, number) => cluster.signers[0]?.sign(job, `at-once-${number}`, offers[number] as NonceOffer[])),
  );
  expect(answers.filter((answer) => answer?.ok === true)).toHaveLength(CANCELLATIONS_A_DAY_MAX);
});

test('the reference of a known payment may be spent for nobody at any time, and pays nobody afterwards', async () => {
  const cluster = await testCluster();
  const cancel: SigningJob = { ...JOB, payment: CANCEL, earlier: [{ side: 'destination', payment: PAYOUT }] };
  cluster.world.payments = [paymentDigest('destination', PAYOUT)];
  cluster.world.deposits = [];
  cluster.world.cleared = null;
  const offers = await offersOf(cluster, cancel, 'cancel');
  expect(await cluster.signers[0]?.sign(cancel, 'cancel', offers)).toMatchObject({ ok: true });
  const forSomebody = { ...cancel, payment: { ...CANCEL, to: 'bc1mallory', amount: '5' } };
  expect(await cluster.restarted(0).sign(forSomebody, 'cancel', offers)).toMatchObject({ ok: true });
  expect(cluster.world.built.at(-1)).toEqual(CANCEL);
  const { world } = await testCluster();
  cluster.world.payments = null;
  [cluster.world.deposits, cluster.world.cleared] = [world.deposits, world.cleared];
  expect(await cluster.signers[0]?.offer(JOB, 'x')).toMatchObject({
    reason: 'its reference was signed for something else',
  });
  expect(await cluster.signers[0]?.offer(other({ reference: 'nonce-2' }), 'y')).toMatchObject({ ok: true });
});

test('what was signed is remembered for good, also by a signer of a multisignature', async () => {
  const { signer, second, memories, world } = await afterPayout('multisig-secp256k1');
  expect(await signer.offer(second, 'again')).toMatchObject({ kind: 'not_yet' });
  const kept = memories[0]?.read('transfer', termsCommitment(TERMS)) ?? '';
  expect(JSON.parse(kept).signed).toEqual([
    { side: 'destination', payment: PAYOUT, vault: vaultDigest((await world.places()).destination) },
  ]);
});

test('a signer shows the public half of its keys, and no more', async () => {
  const { restarted, cluster, memories } = await testCluster();
  const shown = await restarted(3).clusters();
  expect(shown).toEqual([cluster]);
  expect(JSON.stringify(shown)).not.toContain(findShare(memories[3] as never, clusterKeys(cluster))?.secret);
});

test('a signer remembers each payment that it has signed, once', async () => {
  const { signer, world, second, memories, signers } = await afterPayout();
  world.statuses.set('nonce-1', { state: 'void', transaction: 't', confirmations: 6 });
  for (const session of ['second', 'again']) {
    const offers = await offersOf({ signers }, second, session);
    expect(await signer.sign(second, session, offers)).toMatchObject({ ok: true });
  }
  const { signed } = readTransfer(memories[0] as never, termsCommitment(TERMS));
  expect(signed.map(({ payment }) => payment.reference)).toEqual(['nonce-1', 'nonce-2']);
  // What was void is looked at again: a reorganization may have brought it back.
  world.statuses.set('nonce-2', { state: 'void', transaction: 't', confirmations: 6 });
  world.statuses.delete('nonce-1');
  expect(await signer.offer(other({ reference: 'nonce-3' }), 'third')).toMatchObject({
    reason: 'another payment of the transfer may still go through',
  });
});

test('a signer gives its word on funds of its organization alone', async () => {
  const { signers } = await testCluster();
  const terms = { ...TERMS, organization: 'other' };
  expect(await signers[0]?.attestFunds(terms)).toMatchObject({ kind: 'refused', reason: 'another organization' });
});

test('specks take no room of a signer from funds that come behind them, and were in time', async () => {
  const { world, signers } = await testCluster();
  const [signer] = signers as [BridgeSigner];
  const specks = Array.from({ length: SEEN_MAX }, (_, index) => ({
    reference: `speck-${index}`,
    amount: '330',
    confirmations: 9,
  }));
  world.deposits = specks;
  expect(await signer.attestFunds(TERMS)).toMatchObject({ kind: 'not_yet', reason: 'no funds have come' });
  world.deposits = [...specks, { reference: 'burn-1', amount: TERMS.amountIn, confirmations: 1 }];
  expect(await signer.attestFunds(TERMS)).toMatchObject({ kind: 'not_yet' });
  world.now = TERMS.expiresAt + 1;
  world.deposits = [...specks, { reference: 'burn-1', amount: TERMS.amountIn, confirmations: 6 }];
  expect(await signer.attestFunds(TERMS)).toMatchObject({ ok: true });
});

test('funds that came late are late, whatever else the signer saw in time, and however much', async () => {
  const { world, signers, memories } = await testCluster();
  const specks = Array.from({ length: SEEN_MAX + 5 }, (_, index) => ({
    reference: `speck-${index}`,
    amount: String(BigInt(TERMS.amountIn) / 2n),
    confirmations: 9,
  }));
  world.deposits = specks.slice(0, 1);
  await signers[0]?.attestFunds(TERMS);
  world.now = TERMS.expiresAt + 1;
  const funds = { reference: 'burn-1', amount: TERMS.amountIn, confirmations: 6 };
  const late = { kind: 'refused', reason: 'the funds came too late' };
  world.deposits = [...specks.slice(0, 1), funds];
  expect(await signers[0]?.attestFunds(TERMS)).toMatchObject(late);
  world.deposits = [...specks, funds];
  expect(await signers[1]?.attestFunds(TERMS)).toMatchObject(late);
  expect(await signers[1]?.attestFunds(TERMS)).toMatchObject(late);
  const { seen } = readTransfer(memories[1] as never, termsCommitment(TERMS));
  expect(new Set(seen.map(({ reference }) => reference)).size).toBe(SEEN_MAX);
  expect(seen).toHaveLength(SEEN_MAX);
});

test('a session ends with the share that it was begun with', async () => {
  const cluster = await testCluster();
  const offers = await offersOf(cluster, JOB, 'first');
  const memory = cluster.memories[0] as (typeof cluster.memories)[number];
  const share = findShare(memory, clusterKeys(cluster.cluster)) as KeyShare;
  memory.write(shareChanges(memory, { ...share, cluster: { ...share.cluster, generation: 2 } }));
  expect(await cluster.restarted(0).offer(JOB, 'first')).toMatchObject({ reason: 'the session is of another job' });
  expect(await cluster.restarted(0).sign(JOB, 'first', offers)).toMatchObject({ reason: 'no such session' });
  const fresh = await cluster.restarted(0).offer(JOB, 'second');
  expect(fresh).toMatchObject({ ok: true, value: { generation: 2 } });
});

test('a payment that has become one of more messages gets no share by nonces of fewer', async () => {
  const cluster = await testCluster();
  const offers = await offersOf(cluster, JOB, 'first');
  for (const messages of [1, 3]) {
    cluster.world.messages = messages;
    expect(await cluster.signers[0]?.sign(JOB, 'first', offers)).toMatchObject({ reason: 'an offer cannot be read' });
  }
  cluster.world.messages = 2;
  expect(await cluster.signers[0]?.sign(JOB, 'first', offers)).toMatchObject({ ok: true });
});

async function offersOf(
  { signers }: Pick<TestCluster, 'signers'>,
  job: SigningJob,
  session: string,
): Promise<NonceOffer[]> {
  return Promise.all(signers.slice(0, 3).map(async (signer) => valueFrom(await signer.offer(job, session))));
}

function valueFrom<Value>(answer: SignerAnswer<Value>): Value {
  if (!answer.ok) throw new Error(answer.reason);
  return answer.value;
}
