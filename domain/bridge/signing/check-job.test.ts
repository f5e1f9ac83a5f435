import { describe, expect, test, vi } from 'vitest';
import type { PaymentOrder, PaymentStatus, UnsignedPayment, Vault } from '../chains/chain-adapter.ts';
import { vaultDigest } from '../places/transfer-places.ts';
import { RETURN_WAIT_MS } from '../return-wait.ts';
import { type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import type { SigningJob } from './bridge-signer.ts';
import { ORGANIZATION } from './ceremony/ceremony.fixtures.ts';
import { checkJob, isPaidOut, type JobChecks, knownReference, MESSAGES_MAX, mayFollow } from './check-job.ts';
import type { CountedOrder } from './memory/day-bound.ts';
import { SIGNED_MAX, type SignedOrder, type TransferRecord } from './memory/transfer-record.ts';
import { debitDigest, paymentDigest, transactionDigest } from './payment-digest.ts';
import { CANCEL, JOB, NOW, PAYOUT, REFUND, REFUND_JOB, TERMS, testCluster, type World } from './signing.fixtures.ts';
import { SWEEPS_MAX } from './sweep-refusal.ts';

// A key ceremony is slow on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const CHECKS = {
  organization: ORGANIZATION,
  hasPlace: () => true,
  paidOut: { has: () => false, note: () => undefined },
} as const;

const check = (world: World, job: SigningJob) =>
  checkJob(job, { ...CHECKS, eyes: world, now: world.now, record: { seen: [], signed: [] } });

/** The same of a transfer that began once all five signers go by what the guard shows. */
const underRule = (world: World, job: SigningJob) =>
  checkJob(job, { ...CHECKS, eyes: world, now: world.now, record: { seen: [], signed: [], isUnderGuardRule: true } });

/** A signer that has signed the payout of the tests, and may cancel it. */
const knowing = (world: World, job: SigningJob, change: Partial<JobChecks> = {}) =>
  checkJob(job, { ...CHECKS, eyes: world, now: world.now, record: { seen: [], signed: [order()] }, ...change });

/** The same job of other terms: its payment names these. */
const ofTerms = (terms: TransferTerms, job: SigningJob = JOB): SigningJob => ({
  ...job,
  terms,
  payment: { ...job.payment, commitment: termsCommitment(terms) },
});

/** What a transfer comes from that is paid by the ledger, or in wrapped tokens. */
const OUTSIDE = { kind: 'chain', chain: 'bitcoin-taproot', address: '0xalice' } as const;

const NO_AMOUNTS: readonly [string, Partial<TransferTerms>][] = [
  ['half a unit', { amount: TERMS.amount + 0.5 }],
  ['more than a number holds exactly', { amount: 2 ** 53 }],
  ['half a unit as fee', { fee: 0.5 }],
  ['a fee below nothing', { fee: -1 }],
  ['a fee of all of it', { fee: TERMS.amount }],
  ['a moment between two milliseconds', { expiresAt: NOW + 0.5 }],
  ['a moment before all', { expiresAt: -1 }],
  ['nothing in', { amountIn: '0' }],
  ['nothing out', { amountOut: '0' }],
  ['less than nothing in', { amountIn: '-1' }],
  ['no number in', { amountIn: '1e8' }],
  ['a number and something behind it out', { amountOut: '99900000 ' }],
  ['a number with a zero before it out', { amountOut: '099900000' }],
  ['more digits than 78 in', { amountIn: '1'.repeat(79) }],
];

test.each(NO_AMOUNTS)('terms of %s are none', async (_, change) => {
  const { world } = await testCluster();
  const answer = await check(world, ofTerms({ ...TERMS, ...change }));
  expect(answer).toEqual({ ok: false, kind: 'refused', reason: 'amounts are none' });
});

test.each([
  [
    'two other chains',
    { chain: 'bitcoin-legacy', address: 'bc1bob' },
    { chain: 'bitcoin-taproot', address: 'bc1alice' },
  ],
  ['one other chain with itself', { chain: 'ethereum', address: '0xa' }, { chain: 'ethereum', address: '0xb' }],
  ['the exchange with itself', { chain: 'exchange', address: '0xa' }, { chain: 'exchange', address: '0xb' }],
] as const)('terms of %s are none', async (_, source, destination) => {
  const { world } = await testCluster();
  const terms = {
    ...TERMS,
    source: { kind: 'chain', ...source },
    destination: { kind: 'chain', ...destination },
  } as const;
  const payment = { ...PAYOUT, to: destination.address };
  const refusal = { ok: false, kind: 'refused', reason: 'not one of its sides is on another chain' };
  expect(await check(world, ofTerms(terms, { ...JOB, payment }))).toEqual(refusal);
  const account = { kind: 'account', account: 'alice' } as const;
  expect(await check(world, ofTerms({ ...TERMS, source: account, destination: account }))).toEqual(refusal);
});

test('a transfer without a fee is one', async () => {
  const { world } = await testCluster();
  const terms = { ...TERMS, fee: 0, amountOut: TERMS.amountIn };
  const job = ofTerms(terms, { ...JOB, payment: { ...PAYOUT, amount: terms.amountOut } });
  expect(await check(world, job)).toMatchObject({ ok: true });
});

test.each([
  ['more comes out than is counted', { amountOut: '999000000' }],
  ['less comes in than is counted', { amountIn: '10000000' }],
  ['a fee is counted that is not kept', { fee: TERMS.fee + 1 }],
])('nothing is paid where %s', async (_, change) => {
  const { world } = await testCluster();
  const terms = { ...TERMS, ...change };
  world.deposits = [{ reference: 'burn-1', amount: terms.amountIn, confirmations: 6 }];
  const job = ofTerms(terms, { ...JOB, payment: { ...PAYOUT, amount: terms.amountOut } });
  const reason = 'the amounts on chain are not the one that is counted';
  expect(await check(world, job)).toEqual({ ok: false, kind: 'refused', reason });
});

test('nothing is paid out that brings less than its lane asks for, and it goes back', async () => {
  const { world } = await testCluster();
  const places = await world.places();
  const least = (leastAmount: number, flatFee: number) => {
    world.places = async () => ({ ...places, least: { leastAmount, flatFee } });
  };
  least(TERMS.amount, TERMS.fee);
  expect(await check(world, JOB)).toMatchObject({ ok: true });
  for (const [leastAmount, flatFee] of [
    [TERMS.amount + 1, TERMS.fee],
    [TERMS.amount, TERMS.fee + 1],
  ] as const) {
    least(leastAmount, flatFee);
    expect(await check(world, JOB)).toEqual({
      ok: false,
      kind: 'refused',
      reason: 'it brings less than its lane asks for',
    });
    expect(await check(world, REFUND_JOB)).toMatchObject({ ok: true });
  }
});

test('B-04: a debit of the ledger pays the terms for which the guard shows it first, and no others of its id', async () => {
  const { world } = await testCluster();
  const terms: TransferTerms = { ...TERMS, source: { kind: 'account', account: 'alice' } };
  const job = ofTerms(terms);
  const asked: string[] = [];
  const own = termsCommitment(terms);
  const show = (...shown: (string | null)[]) => {
    world.shownFor = async (_, of) => {
      asked.push(of);
      return of === debitDigest(terms) ? shown : [own];
    };
  };
  show(own, null);
  expect(await check(world, job)).toMatchObject({ ok: true });
  expect(asked).toContain(debitDigest(terms));
  expect(debitDigest({ ...terms, id: 'another' })).not.toBe(debitDigest(terms));
  for (const [first, others] of [
    ['another', []],
    [own, ['another']],
  ] as const) {
    show(first, ...others);
    const reason = 'the guard shows its debit for other terms';
    expect(await check(world, job)).toEqual({ ok: false, kind: 'refused', reason });
  }
  show(null);
  expect(await check(world, job)).toMatchObject({ kind: 'not_yet', reason: 'the guard does not show its debit' });
  // What has come on a chain names its commitment.
  expect(await check(world, JOB)).toMatchObject({ ok: true });
});

test('nothing is paid out by places that were replaced long ago, and it goes back', async () => {
  const { world } = await testCluster();
  const places = await world.places();
  world.places = async () => ({ ...places, isOutlived: true });
  const reason = 'its places were replaced long ago';
  expect(await check(world, JOB)).toEqual({ ok: false, kind: 'refused', reason });
  expect(await check(world, REFUND_JOB)).toMatchObject({ ok: true });
});

test('a reference is known by what the node says of it, whatever the guard lists, and a refund by its deposit as well', async () => {
  const { world } = await testCluster();
  const known = (job: SigningJob) =>
    knownReference(job, { ...CHECKS, eyes: world, now: world.now, record: { seen: [], signed: [] } });
  world.payments = [];
  expect(await known(JOB)).toEqual({ ok: true, value: true });
  expect(await known(REFUND_JOB)).toEqual({ ok: true, value: true });
  expect(await known({ ...JOB, terms: { ...TERMS, organization: 'other' } })).toMatchObject({ kind: 'refused' });
  expect(await known({ ...JOB, payment: { ...PAYOUT, to: 'somebody else' } })).toMatchObject({ kind: 'refused' });
  const reason = 'its reference is wrong';
  world.reference = { fault: { reason, isForGood: true }, spends: [] };
  expect(await known(JOB)).toEqual({ ok: false, kind: 'refused', reason, isVoid: true });
  world.reference = { fault: { reason, isForGood: false }, spends: [] };
  expect(await known(JOB)).toEqual({ ok: false, kind: 'not_yet', reason });
  world.reference = { fault: null, spends: [] };
  world.deposits = world.deposits.map((deposit) => ({ ...deposit, confirmations: 1 }));
  expect(await known(REFUND_JOB)).toMatchObject({ ok: false, kind: 'not_yet' });
});

test.each(['0.5', '-1', '', '01', '1 '])('a payment of %j is none', async (amount) => {
  const { world } = await testCluster();
  world.deposits = [{ reference: 'burn-1', amount, confirmations: 6 }];
  const answer = await check(world, { ...REFUND_JOB, payment: { ...REFUND, amount } });
  expect(answer).toMatchObject({ kind: 'refused', reason: 'the payment has no reference, or no amount' });
});

test.each(['payout', 'refund', 'cancel'] as const)('no %s leaves by a side that the ledger pays', async (kind) => {
  const { world } = await testCluster();
  const account = { kind: 'account', account: 'alice' } as const;
  const side = kind === 'refund' ? 'source' : 'destination';
  const to = kind === 'cancel' ? '' : 'alice';
  const job = ofTerms(
    { ...TERMS, source: OUTSIDE, [side]: account },
    { ...JOB, side, payment: { ...CANCEL, kind, to } },
  );
  expect(await check(world, job)).toMatchObject({ kind: 'refused', reason: 'the ledger pays there' });
  expect(world.voided).toEqual([]);
});

test('funds of the very moment at which a quote ends are in time, and those of a millisecond later are not', async () => {
  const { world } = await testCluster();
  const funds = { reference: 'burn-1', amount: TERMS.amountIn, confirmations: 6 };
  world.now = TERMS.expiresAt + 2;
  world.deposits = [{ ...funds, at: TERMS.expiresAt }];
  expect(await check(world, JOB)).toMatchObject({ ok: true });
  world.deposits = [{ ...funds, at: TERMS.expiresAt + 1 }];
  expect(await check(world, JOB)).toMatchObject({ reason: 'the funds came too late' });
});

test('what gives funds back needs no word of the hardware module, which is asked for what is paid alone', async () => {
  const { world } = await testCluster();
  world.coSignFrom = 0;
  expect(await check(world, JOB)).toMatchObject({ reason: 'the hardware module has not signed' });
  expect(await check(world, REFUND_JOB)).toMatchObject({ ok: true });
  expect(await knowing(world, { ...JOB, payment: CANCEL })).toMatchObject({ ok: true });
});

test('a signer that has signed a payment cancels it whatever the guard shows, and the ledger keeps its payout', async () => {
  const { world } = await testCluster();
  world.payments = [];
  const terms = { ...TERMS, source: OUTSIDE, destination: { kind: 'account', account: 'alice' } } as const;
  const job = ofTerms(terms, { ...REFUND_JOB, payment: CANCEL });
  const { commitment } = job.payment;
  const signed = [order({ kind: 'refund', commitment }, 'source')];
  expect(await knowing(world, job, { record: { seen: [], signed } })).toMatchObject({ ok: true });
  expect(world.voided).toEqual([]);
});

test('B-02: a payment that neither the signer has signed nor the guard lists is not cancelled', async () => {
  const { world } = await testCluster();
  const cancel: SigningJob = { ...JOB, payment: CANCEL };
  const unknown = { ok: false, kind: 'not_yet', reason: 'no payment of this reference is known' };
  expect(await check(world, cancel)).toEqual(unknown);
  expect(await check(world, { ...cancel, earlier: [order()] })).toEqual(unknown);
  world.payments = [paymentDigest('destination', PAYOUT)];
  expect(await check(world, cancel)).toEqual(unknown);
  expect(await check(world, { ...cancel, earlier: [order()] })).toMatchObject({ ok: true });
  for (const other of [
    order({ reference: 'nonce-2' }),
    order({ commitment: '77'.repeat(32) }),
    order({}, 'source'),
    order(CANCEL),
  ]) {
    world.payments = [paymentDigest(other.side, other.payment)];
    expect(await check(world, { ...cancel, earlier: [other] })).toEqual(unknown);
    expect(await knowing(world, cancel, { record: { seen: [], signed: [other] } })).toEqual(unknown);
  }
});

test('B-02: while the guard is stopped a signer cancels what it has signed itself, and nothing else', async () => {
  const { world } = await testCluster();
  world.announced = async () => {
    throw new Error('the guard is stopped');
  };
  const cancel: SigningJob = { ...JOB, payment: CANCEL, earlier: [order()] };
  await expect(check(world, cancel)).rejects.toThrow('the guard is stopped');
  expect(await knowing(world, cancel)).toMatchObject({ ok: true });
});

test('B-02: while somebody gives a contract another key, a reference of no payment is cancelled, which refutes that', async () => {
  const { world } = await testCluster();
  const cancel: SigningJob = { ...JOB, payment: CANCEL };
  expect(await check(world, cancel)).toMatchObject({ reason: 'no payment of this reference is known' });
  world.isRecovered = true;
  expect(await check(world, cancel)).toMatchObject({ ok: true });
});

test('B-02: past the bound of the day nothing is cancelled but what the signer has signed itself', async () => {
  const { world } = await testCluster();
  const asked: CountedOrder[] = [];
  const hasPlace = (counted: CountedOrder) => {
    asked.push(counted);
    return false;
  };
  const cancel: SigningJob = { ...JOB, payment: CANCEL, earlier: [order()] };
  world.payments = [paymentDigest('destination', PAYOUT)];
  const past = { hasPlace, record: { seen: [], signed: [] } };
  const tooMany = { ok: false, kind: 'not_yet', reason: 'too many payments were cancelled within a day' };
  expect(await knowing(world, cancel, past)).toEqual(tooMany);
  const vault = (await world.places()).destination;
  const counted = { vault, order: paymentDigest('destination', CANCEL), isDear: false, isCancel: true };
  expect(asked).toEqual([counted]);
  expect(await knowing(world, cancel, { hasPlace })).toMatchObject({ ok: true, value: { counted: null } });
  const again = { hasPlace, record: { seen: [], signed: [order(CANCEL)] } };
  expect(await knowing(world, cancel, again)).toMatchObject({ ok: true, value: { counted: null } });
  expect(asked).toHaveLength(1);
});

test('what a dear fee is stated for takes a dear place of the day: a refund, and a cancellation of what others have signed', async () => {
  const { world } = await testCluster();
  world.reference = { fault: null, spends: [], isDear: true };
  world.payments = [paymentDigest('destination', PAYOUT), paymentDigest('source', REFUND)];
  world.statuses.set('nonce-1', { state: 'void', transaction: 'cancelled', confirmations: 6 });
  const dear = { ok: true, value: { counted: { isDear: true } } };
  const earlier = [order()];
  expect(await check(world, { ...REFUND_JOB, earlier })).toMatchObject(dear);
  expect(await check(world, { ...JOB, payment: CANCEL, earlier })).toMatchObject(dear);
  expect(await knowing(world, { ...JOB, payment: CANCEL })).toMatchObject({ value: { counted: null } });
  world.reference = { fault: null, spends: [] };
  expect(await check(world, { ...REFUND_JOB, earlier })).toMatchObject({ value: { counted: null } });
});

test('B-02: a refund out of its own deposit is not cancelled: nothing would be left to give back', async () => {
  const { world } = await testCluster();
  const destination = { kind: 'chain', chain: 'exchange', address: '0xalice' } as const;
  const terms = { ...TERMS, source: { ...OUTSIDE, address: 'bc1alice' }, destination };
  const places = await world.places();
  world.places = async () => ({ ...places, source: places.destination });
  const job = ofTerms(terms, { ...REFUND_JOB, payment: CANCEL });
  const signed = [order({ kind: 'refund', commitment: job.payment.commitment }, 'source')];
  expect(await knowing(world, job, { record: { seen: [], signed } })).toMatchObject({
    kind: 'refused',
    reason: 'what goes back out of its deposit is not cancelled',
  });
});

describe('B-01: what a reference states', () => {
  test.each([
    ['for good', true, 'refused'],
    ['now', false, 'not_yet'],
  ])('is not signed where it is not so %s, whatever kind of payment it is', async (_, isForGood, kind) => {
    const { world } = await testCluster();
    world.reference = { fault: { reason: 'an input is worth more', isForGood }, spends: [] };
    const refused = { ok: false, kind, reason: 'an input is worth more', ...(isForGood ? { isVoid: true } : {}) };
    expect(await check(world, JOB)).toEqual(refused);
    expect(await check(world, REFUND_JOB)).toEqual(refused);
    expect(await knowing(world, { ...JOB, payment: CANCEL })).toEqual(refused);
  });

  test('is not signed where it spends the deposit of a transfer that is not told, or not paid out', async () => {
    const { world } = await testCluster();
    const inward: TransferTerms = {
      ...TERMS,
      id: '0192f0c1-2f3a-7000-8000-000000000002',
      source: { kind: 'chain', chain: 'bitcoin-taproot', address: 'bc1bob' },
      destination: { kind: 'account', account: 'bob' },
    };
    world.reference = { fault: null, spends: [termsCommitment(inward)] };
    const untold = { kind: 'not_yet', reason: 'it spends the deposit of a transfer that is not told' };
    expect(await check(world, JOB)).toMatchObject(untold);
    expect(await check(world, { ...JOB, paidOut: [{ terms: TERMS, payment: PAYOUT }] })).toMatchObject(untold);
    const told: SigningJob = { ...JOB, paidOut: [{ terms: inward, payment: null }] };
    const pending = { kind: 'not_yet', reason: 'it spends the deposit of a transfer that is not paid out' };
    expect(await check(world, told)).toMatchObject(pending);
    world.payments = [paymentDigest('destination', PAYOUT)];
    const cancel: SigningJob = { ...told, payment: CANCEL, earlier: [order()] };
    expect(await check(world, cancel)).toMatchObject(pending);
    // It has looked at what it has signed.
    expect(await knowing(world, cancel)).toMatchObject({ ok: true });
    world.isPaidByLedger = true;
    expect(await check(world, told)).toMatchObject({ ok: true });
    const foreign = { ...inward, organization: 'another' };
    world.reference = { fault: null, spends: [termsCommitment(foreign)] };
    expect(await check(world, { ...JOB, paidOut: [{ terms: foreign, payment: null }] })).toMatchObject({
      kind: 'refused',
      reason: 'it spends the deposit of another organization',
    });
    expect(world.voided).toEqual([]);
  });

  test('is signed where the other transfer has had its payout on a chain, deep enough, and by that payment alone', async () => {
    const { world } = await testCluster();
    const other: TransferTerms = { ...TERMS, id: '0192f0c1-2f3a-7000-8000-000000000003' };
    const commitment = termsCommitment(other);
    const payment: PaymentOrder = { ...PAYOUT, commitment, reference: 'nonce-3' };
    world.reference = { fault: null, spends: [commitment] };
    const told = (of: PaymentOrder | null): SigningJob => ({ ...JOB, paidOut: [{ terms: other, payment: of }] });
    const pending = { kind: 'not_yet', reason: 'it spends the deposit of a transfer that is not paid out' };
    expect(await check(world, told(payment))).toMatchObject(pending);
    world.statuses.set('nonce-3', { state: 'paid', transaction: 'tx', confirmations: 5 });
    expect(await check(world, told(payment))).toMatchObject(pending);
    world.statuses.set('nonce-3', { state: 'void', transaction: 'tx', confirmations: 6 });
    expect(await check(world, told(payment))).toMatchObject(pending);
    world.statuses.set('nonce-3', { state: 'paid', transaction: 'tx', confirmations: 6 });
    for (const not of [
      null,
      { ...payment, kind: 'refund' },
      { ...payment, commitment: PAYOUT.commitment },
      { ...payment, to: 'bc1mallory' },
      { ...payment, memo: '222' },
      { ...payment, amount: '1' },
    ] as const)
      expect(await check(world, told(not))).toMatchObject(pending);
    expect(await check(world, told(payment))).toMatchObject({ ok: true });
  });
});

test('a deposit whose transfer the signer has noted as paid out is spent, though no chain tells the payout any more', async () => {
  const { world } = await testCluster();
  const other: TransferTerms = { ...TERMS, id: '0192f0c1-2f3a-7000-8000-000000000003' };
  const commitment = termsCommitment(other);
  const payment: PaymentOrder = { ...PAYOUT, commitment, reference: 'nonce-3' };
  const told: SigningJob = { ...JOB, paidOut: [{ terms: other, payment }] };
  world.reference = { fault: null, spends: [commitment] };
  const noted = new Set<string>();
  const paidOut = { has: (of: string) => noted.has(of), note: (of: string) => void noted.add(of) };
  const record = { seen: [], signed: [] };
  expect(await knowing(world, told, { paidOut, record })).toMatchObject({ kind: 'not_yet' });
  expect([...noted]).toEqual([]);
  world.statuses.set('nonce-3', { state: 'paid', transaction: 'tx', confirmations: 6 });
  expect(await knowing(world, told, { paidOut, record })).toMatchObject({ ok: true });
  expect([...noted]).toEqual([commitment]);
  world.statuses.delete('nonce-3');
  expect(await knowing(world, told, { paidOut, record })).toMatchObject({ ok: true });
  expect(await knowing(world, told, { record })).toMatchObject({ kind: 'not_yet' });
});

test('an earlier payment whose reference is wrong for good is void, unless the signer has signed it itself', async () => {
  const { world } = await testCluster();
  world.payments = [paymentDigest('destination', PAYOUT), paymentDigest('source', REFUND)];
  let isForGood = true;
  const fault = () => ({ reason: 'an input is worth more', isForGood });
  world.checkReference = async (_?: TransferTerms, __?: string, payment?: PaymentOrder) => ({
    fault: payment?.reference === PAYOUT.reference ? fault() : null,
    spends: [],
  });
  const refund: SigningJob = { ...REFUND_JOB, earlier: [order()] };
  expect(await check(world, refund)).toMatchObject({ ok: true });
  const standing = { kind: 'not_yet', reason: 'another payment of the transfer may still go through' };
  expect(await knowing(world, refund)).toMatchObject(standing);
  isForGood = false;
  expect(await check(world, refund)).toMatchObject(standing);
});

test('an earlier payment whose reference the node cannot look at is void by what has become of it', async () => {
  const { world } = await testCluster();
  world.payments = [paymentDigest('destination', PAYOUT), paymentDigest('source', REFUND)];
  world.checkReference = async (_?: TransferTerms, __?: string, payment?: PaymentOrder) => {
    if (payment?.reference === PAYOUT.reference) throw new Error('no such transaction');
    return { fault: null, spends: [] };
  };
  const refund: SigningJob = { ...REFUND_JOB, earlier: [order()] };
  const standing = { kind: 'not_yet', reason: 'another payment of the transfer may still go through' };
  expect(await check(world, refund)).toMatchObject(standing);
  world.statuses.set(PAYOUT.reference, { state: 'void', transaction: 'cancelled', confirmations: 6 });
  expect(await check(world, refund)).toMatchObject({ ok: true });
  world.status = async () => {
    throw new Error('the node is away');
  };
  await expect(check(world, refund)).rejects.toThrow('the node is away');
});

test('a payment whose reference is wrong for good is void, also where no node can say what has become of it', async () => {
  const { world } = await testCluster();
  world.status = async () => {
    throw new Error('a reference of another chain');
  };
  await expect(check(world, JOB)).rejects.toThrow('another chain');
  for (const isForGood of [true, false]) {
    world.reference = { fault: { reason: 'its block is none', isForGood }, spends: [] };
    for (const job of [JOB, REFUND_JOB]) {
      const answer = check(world, job);
      if (isForGood) expect(await answer).toMatchObject({ ok: false, kind: 'refused', isVoid: true });
      else await expect(answer).rejects.toThrow('another chain');
    }
  }
  // What it has signed itself it had looked at.
  world.reference = { fault: { reason: 'its block is none', isForGood: true }, spends: [] };
  await expect(knowing(world, JOB)).rejects.toThrow('another chain');
});

test('bytes that do not say whose payment they are, are signed for the transfer for which the guard was shown them first', async () => {
  const { world } = await testCluster();
  const places = await world.places();
  const on = (chain: Vault['chain']) => {
    const { destination } = places;
    world.places = async () => ({ ...places, destination: destination && { ...destination, chain } });
  };
  const asked: string[] = [];
  const shown = (...commitments: (string | null)[]) => {
    world.shownFor = async (_, transaction) => {
      asked.push(transaction);
      return commitments;
    };
  };
  shown('another transfer');
  expect(await check(world, JOB)).toMatchObject({ ok: true });
  expect(asked).toEqual([]);
  on('near');
  expect(await check(world, JOB)).toEqual({
    ok: false,
    kind: 'refused',
    reason: 'the guard shows its transaction for another transfer',
  });
  expect(asked).toEqual([transactionDigest(await world.build(TERMS, 'destination', PAYOUT))]);
  shown(null);
  expect(await check(world, JOB)).toEqual({
    ok: false,
    kind: 'not_yet',
    reason: 'the guard does not show its transaction',
  });
  expect(await knowing(world, { ...JOB, payment: CANCEL })).toMatchObject({ ok: true });
  shown(PAYOUT.commitment);
  expect(await check(world, JOB)).toMatchObject({ ok: true });
  world.shownFor = async () => null;
  expect(await check(world, JOB)).toMatchObject({ ok: true });
});

test('bytes that any guard was shown for another transfer are signed for none of this one, and those that another guard was shown for this one stand', async () => {
  const { world } = await testCluster();
  const places = await world.places();
  const { destination } = places;
  world.places = async () => ({ ...places, destination: destination && { ...destination, chain: 'near' } });
  const shown = (...commitments: (string | null)[]) => {
    world.shownFor = async () => commitments;
  };
  const own = PAYOUT.commitment;
  const refused = { kind: 'refused', reason: 'the guard shows its transaction for another transfer' };
  for (const [by, answer] of [
    [[own, null, own], { ok: true }],
    [[own, 'another transfer'], refused],
    [[own, null, 'another transfer'], refused],
    [[null, 'another transfer'], refused],
    [[null, own], { kind: 'not_yet' }],
  ] as const) {
    shown(...by);
    expect(await check(world, JOB)).toMatchObject(answer);
  }
  world.payments = [paymentDigest('destination', PAYOUT), paymentDigest('source', REFUND)];
  world.statuses.set(PAYOUT.reference, { state: 'paid', transaction: 'tx', confirmations: 6 });
  const refund: SigningJob = { ...REFUND_JOB, earlier: [order()] };
  const paid = { kind: 'refused', reason: 'the transfer was paid' };
  for (const [by, answer, isOut] of [
    [['another transfer', null], { ok: true }, false],
    [['another transfer', own], paid, false],
    [[own, 'another transfer'], paid, false],
    [[null, 'another transfer'], paid, false],
    [[own, null], paid, true],
  ] as const) {
    shown(...by);
    expect(await underRule(world, refund)).toMatchObject(answer);
    expect(await isPaidOut({ terms: TERMS, payment: PAYOUT }, world)).toBe(isOut);
  }
});

test('a transaction that the guard shows for another transfer pays nothing of this one, and makes its deposit nobody else’s', async () => {
  const { world } = await testCluster();
  const places = await world.places();
  const { destination } = places;
  world.places = async () => ({ ...places, destination: destination && { ...destination, chain: 'near' } });
  world.payments = [paymentDigest('destination', PAYOUT), paymentDigest('source', REFUND)];
  world.statuses.set(PAYOUT.reference, { state: 'paid', transaction: 'tx', confirmations: 6 });
  const refund: SigningJob = { ...REFUND_JOB, earlier: [order()] };
  const paid = { kind: 'refused', reason: 'the transfer was paid' };
  const told = { terms: TERMS, payment: PAYOUT };
  expect(await check(world, refund)).toMatchObject(paid);
  expect(await isPaidOut(told, world)).toBe(true);
  world.shownFor = async () => [null];
  expect(await check(world, refund)).toMatchObject(paid);
  world.shownFor = async () => ['another transfer'];
  // A signer of an earlier release may have signed it.
  expect(await check(world, refund)).toMatchObject(paid);
  expect(await underRule(world, refund)).toMatchObject({ ok: true });
  expect(await isPaidOut(told, world)).toBe(false);
  // What it has signed itself it has seen shown.
  expect(await knowing(world, refund)).toMatchObject(paid);
});

test.each(['pay', '', 'Payout', undefined, ['payout']])('a payment of kind %j is none', async (kind) => {
  const { world } = await testCluster();
  world.cleared = null;
  for (const side of ['source', 'destination'] as const) {
    const payment = { ...PAYOUT, kind: kind as never, to: 'bc1mallory', amount: '7' };
    world.payments = [paymentDigest(side, payment)];
    const refusal = { ok: false, kind: 'refused', reason: 'there is no such kind of payment' };
    expect(await check(world, { ...JOB, side, payment })).toEqual(refusal);
    const known = knownReference(
      { ...JOB, side, payment },
      { ...CHECKS, eyes: world, now: NOW, record: { seen: [], signed: [] } },
    );
    expect(await known).toEqual(refusal);
  }
});

test('a cancellation that names somebody is none', async () => {
  const { world } = await testCluster();
  const answer = await check(world, { ...JOB, payment: { ...CANCEL, to: 'bc1mallory' } });
  expect(answer).toMatchObject({ kind: 'refused', reason: 'a cancelled payment pays nobody' });
});

test('funds that the signer itself saw in time are in time, and others are not by their leave', async () => {
  const { world } = await testCluster();
  const late = { ...CHECKS, now: TERMS.expiresAt + 1, eyes: world };
  const seen = [{ reference: 'burn-1', at: TERMS.expiresAt }];
  expect(await checkJob(JOB, { ...late, record: { seen, signed: [] } })).toMatchObject({ ok: true });
  world.deposits = [{ reference: 'burn-2', amount: TERMS.amountIn, confirmations: 6 }];
  const answer = await checkJob(JOB, { ...late, record: { seen, signed: [] } });
  expect(answer).toMatchObject({ reason: 'the funds came too late' });
});

test('of several payments that all see before it each has to be void', async () => {
  const { world } = await testCluster();
  const payouts = ['nonce-1', 'nonce-2'].map(
    (reference) => ({ side: 'destination', payment: { ...PAYOUT, reference } }) as const,
  );
  world.payments = [...payouts, REFUND_JOB].map(({ side, payment }) => paymentDigest(side, payment));
  const refund = { ...REFUND_JOB, earlier: payouts };
  const voided = { state: 'void', transaction: 'cancelled', confirmations: 6 } as const;
  world.statuses.set('nonce-1', voided);
  expect(await check(world, refund)).toMatchObject({ reason: 'another payment of the transfer may still go through' });
  world.statuses.set('nonce-2', voided);
  expect(await check(world, refund)).toMatchObject({ ok: true });
});

test('nothing goes back before it has come, which may still be', async () => {
  const { world } = await testCluster();
  world.deposits = [];
  expect(await check(world, REFUND_JOB)).toEqual({ ok: false, kind: 'not_yet', reason: 'no funds have come' });
});

test('of what was deposited twice in one amount the deeper goes back', async () => {
  const { world } = await testCluster();
  const [shallow, deep] = [2, 6].map((confirmations) => ({
    reference: `burn-${confirmations}`,
    amount: TERMS.amountIn,
    confirmations,
  })) as [World['deposits'][number], World['deposits'][number]];
  for (const deposits of [
    [shallow, deep],
    [deep, shallow],
  ]) {
    world.deposits = deposits;
    expect(await check(world, REFUND_JOB)).toMatchObject({ ok: true });
  }
});

test.each<[string, boolean, string, boolean]>([
  ['all of a balance', true, '100000', true],
  ['all of it but a thousandth', true, '99900', true],
  ['all of it but a little more than a thousandth', true, '99899', false],
  ['more than it is', true, '100001', false],
  ['a payment without a speck of it', false, '99999', false],
  ['more than a payment', false, '100001', false],
])('whether %s goes back', async (_, isBalance, amount, may) => {
  const { world } = await testCluster();
  const funds = { reference: 'account', amount: '100000', confirmations: 6 };
  world.deposits = [isBalance ? { ...funds, isBalance } : funds];
  const refund = { ...REFUND_JOB, payment: { ...REFUND, amount } };
  if (may) expect(await check(world, refund)).toMatchObject({ ok: true });
  else expect(await check(world, refund)).toMatchObject({ reason: 'another amount than came would go back' });
  world.deposits = world.deposits.map((deposit) => ({ ...deposit, confirmations: 5 }));
  if (may) expect(await check(world, refund)).toMatchObject({ reason: 'funds have 5 of 6 confirmations' });
});

test('a payout goes by the very amount that was quoted, also of a balance', async () => {
  const { world } = await testCluster();
  const amount = String(BigInt(TERMS.amountIn) + 1n);
  world.deposits = [{ reference: 'account', amount, confirmations: 6, isBalance: true }];
  expect(await check(world, JOB)).toMatchObject({ reason: 'another amount than quoted has come' });
});

const MESSAGE = { bytes: 'ab'.repeat(32), tweak: null } as const;

test.each<[string, UnsignedPayment['messages']]>([
  ['that is no hexadecimal', [{ ...MESSAGE, bytes: 'xy' }]],
  ['of half a byte', [{ ...MESSAGE, bytes: 'abc' }]],
  ['of nothing', [{ ...MESSAGE, bytes: '' }]],
  ['for a key whose tweak is short', [{ ...MESSAGE, tweak: '11'.repeat(31) }]],
  ['for a key whose tweak is long', [{ ...MESSAGE, tweak: '11'.repeat(33) }]],
  ['that is none, behind one that is', [MESSAGE, { ...MESSAGE, bytes: 'xy' }]],
])('a signer signs no message %s', async (_, messages) => {
  const { world } = await testCluster();
  world.build = async () => ({ messages });
  expect(await check(world, JOB)).toMatchObject({
    kind: 'refused',
    reason: 'the payment has nothing to sign, or too much',
  });
});

test('a payment has as many messages as it may have', async () => {
  const { world } = await testCluster();
  world.messages = MESSAGES_MAX;
  expect(await check(world, JOB)).toMatchObject({ ok: true });
});

const order = (change: Partial<PaymentOrder> = {}, side: SignedOrder['side'] = 'destination'): SignedOrder => ({
  side,
  payment: { ...PAYOUT, ...change },
});
const second = order({ reference: 'nonce-2' });
const cancelled = (side: SignedOrder['side'] = 'destination') => order(CANCEL, side);

test.each<[string, readonly SignedOrder[], SignedOrder, readonly SignedOrder[], boolean]>([
  ['nothing', [], order(), [], true],
  ['itself', [order()], order(), [], true],
  ['another that may still go through', [order()], second, [], false],
  ['another that is void', [order()], second, [order()], true],
  ['two of which one is void', [order(), order({ reference: 'nonce-3' })], second, [order()], false],
  [
    'two that are void',
    [order(), order({ reference: 'nonce-3' })],
    second,
    [order(), order({ reference: 'nonce-3' })],
    true,
  ],
  ['the cancellation of its own reference', [cancelled()], order(), [], false],
  ['the cancellation of another reference', [cancelled()], second, [], true],
  ['the cancellation of a reference of that name on the other side', [cancelled('source')], order(), [], true],
])('whether a payment may follow %s', (_, signed, next, voided, may) => {
  expect(mayFollow({ seen: [], signed }, next, voided)).toBe(may);
});

test('a cancellation may follow whatever was signed', async () => {
  const signed = [order(), second];
  expect(mayFollow({ seen: [], signed }, cancelled(), [])).toBe(true);
  const { world } = await testCluster();
  const checks = { ...CHECKS, eyes: world, now: NOW, record: { seen: [], signed } };
  const answer = await checkJob({ ...JOB, payment: CANCEL }, checks);
  expect(answer).toMatchObject({ ok: true, value: { voided: [] } });
});

describe('what a signer has signed for a vault that was replaced since', () => {
  const signedFor = (destination: Vault | null, change: Partial<PaymentOrder> = {}) => ({
    seen: [],
    signed: [{ ...order(change), vault: vaultDigest(destination) }],
  });

  test('stands against every other payment, whatever the new vault says of its reference', async () => {
    const { world } = await testCluster();
    const { destination } = await world.places();
    const replaced = { ...(destination as Vault), contract: '0xbefore' };
    world.statuses.set(PAYOUT.reference, { state: 'void', transaction: 'cancelled', confirmations: 6 });
    const refusal = { kind: 'not_yet', reason: 'an earlier payment of the transfer was signed for another vault' };
    const again = { ...JOB, payment: second.payment };
    for (const job of [REFUND_JOB, again]) {
      expect(await knowing(world, job, { record: signedFor(replaced) })).toMatchObject(refusal);
      expect(await knowing(world, job, { record: signedFor(destination) })).toMatchObject({ ok: true });
    }
  });

  test('is not signed for the new one', async () => {
    const { world } = await testCluster();
    const { destination } = await world.places();
    const replaced = { ...(destination as Vault), keys: { ...(destination as Vault).keys, groupKey: '02' } };
    const reason = 'its reference was signed for something else';
    expect(await knowing(world, JOB, { record: signedFor(replaced) })).toMatchObject({ kind: 'refused', reason });
    expect(await knowing(world, JOB, { record: signedFor(destination) })).toMatchObject({ ok: true });
    const [before, now] = [signedFor(replaced), signedFor(destination)];
    expect(mayFollow(before, now.signed[0] as SignedOrder, [])).toBe(false);
    expect(mayFollow(now, now.signed[0] as SignedOrder, [])).toBe(true);
  });

  test('has nothing of it cancelled at the new one but by the guard’s list', async () => {
    const { world } = await testCluster();
    const { destination } = await world.places();
    const cancel = { ...JOB, payment: CANCEL };
    world.payments = [];
    const replaced = { ...(destination as Vault), contract: '0xbefore' };
    const reason = 'no payment of this reference is known';
    expect(await knowing(world, cancel, { record: signedFor(replaced) })).toMatchObject({ reason });
    expect(await knowing(world, cancel, { record: signedFor(destination) })).toMatchObject({
      value: { counted: null },
    });
    world.payments = [paymentDigest('destination', PAYOUT)];
    const listed = { ...cancel, earlier: [order()] };
    const answer = await knowing(world, listed, { record: signedFor(replaced) });
    expect(answer).toMatchObject({ ok: true, value: { counted: { isCancel: true } } });
  });
});

test('a signer says which of those that it has signed are void, and signs so many of one transfer and no more', async () => {
  const { world } = await testCluster();
  const signed = Array.from({ length: SIGNED_MAX }, (_, index) => order({ reference: `earlier-${index}` }));
  for (const { payment } of signed)
    world.statuses.set(payment.reference, { state: 'void', transaction: 'cancelled', confirmations: 6 });
  const by = (record: TransferRecord) => checkJob(JOB, { ...CHECKS, eyes: world, now: NOW, record });
  expect(await by({ seen: [], signed })).toMatchObject({ reason: 'too many payments of one transfer' });
  const fewer = signed.slice(1);
  expect(await by({ seen: [], signed: [...fewer, order()] })).toMatchObject({ ok: true, value: { voided: fewer } });
});

test('what another chain was to be paid goes back without the ledger', async () => {
  const { world } = await testCluster();
  expect(await check(world, REFUND_JOB)).toMatchObject({ ok: true });
  expect(world.voided).toEqual([]);
});

test('B-10: no payout is signed on a clearance from before its announcement', async () => {
  const { world } = await testCluster();
  // The coordinator gives the room back between a signer's looks, and announces the payout behind that.
  world.payments = [];
  const looks: string[] = [];
  world.clearance = async () => {
    const { cleared } = world;
    looks.push('clearance');
    world.cleared = { amount: TERMS.amount, clearAt: NOW, isVetoed: true };
    world.payments = [paymentDigest('destination', PAYOUT)];
    return cleared;
  };
  expect(await check(world, JOB)).toMatchObject({ ok: false, kind: 'not_yet' });
  world.payments = [paymentDigest('destination', PAYOUT)];
  world.cleared = { amount: TERMS.amount, clearAt: NOW, isVetoed: true };
  expect(await check(world, JOB)).toEqual({ ok: false, kind: 'refused', reason: 'it was vetoed' });
  expect(looks).toEqual(['clearance']);
});

const RETURN_JOB: SigningJob = { ...REFUND_JOB, payment: { ...REFUND, to: '0xexchange' } };
/** The first moment at which a signer returns anything. */
const AFTER = TERMS.expiresAt + RETURN_WAIT_MS + 1;

/** After its quote has ended, somebody else alone has paid for the transfer of the tests. */
async function paidByOther() {
  const { world } = await testCluster();
  world.now = AFTER;
  world.deposits = [];
  world.others = [{ reference: 'other-1', amount: REFUND.amount, confirmations: 6, payer: '0xexchange' }];
  return world;
}

describe('what somebody else than the payer has paid in', () => {
  test('goes back to them, whole, and to nobody else', async () => {
    const world = await paidByOther();
    expect(await check(world, RETURN_JOB)).toMatchObject({ ok: true });
    const to = (address: string) => ({ ...RETURN_JOB, payment: { ...RETURN_JOB.payment, to: address } });
    expect(await check(world, to('0xmallory'))).toMatchObject({ ok: false, reason: 'no funds have come' });
    const part = { ...RETURN_JOB, payment: { ...RETURN_JOB.payment, amount: '1' } };
    expect(await check(world, part)).toMatchObject({
      kind: 'refused',
      reason: 'another amount than came would go back',
    });
    world.others = [{ ...world.others[0]!, confirmations: 5 }];
    expect(await check(world, RETURN_JOB)).toMatchObject({
      kind: 'not_yet',
      reason: 'funds have 5 of 6 confirmations',
    });
  });

  test('does not go to one of several who may have paid it', async () => {
    const world = await paidByOther();
    const { payer: _, ...nobodys } = world.others[0]!;
    world.funds = async (_terms, from) => (from === undefined ? [] : [nobodys]);
    const reason = 'the payment goes to somebody else';
    expect(await check(world, RETURN_JOB)).toEqual({ ok: false, kind: 'refused', reason });
  });

  test('stays while the payer may still pay, and where they have', async () => {
    const world = await paidByOther();
    world.now = AFTER - 1;
    expect(await check(world, RETURN_JOB)).toMatchObject({ kind: 'not_yet', reason: 'its payer may still pay' });
    world.now = AFTER;
    world.deposits = [{ reference: 'own', amount: '1', confirmations: 0 }];
    expect(await check(world, RETURN_JOB)).toMatchObject({ kind: 'refused', reason: 'its own payer has paid' });
  });

  test('carries no memo, and goes to nobody who asks for one', async () => {
    const world = await paidByOther();
    const memo = { ...RETURN_JOB, payment: { ...RETURN_JOB.payment, memo: '7' } };
    expect(await check(world, memo)).toMatchObject({ kind: 'refused' });
    const source = { ...TERMS.source, memo: '7' } as TransferTerms['source'];
    expect(await check(world, ofTerms({ ...TERMS, source }, RETURN_JOB))).toMatchObject({ ok: true });
    expect(await check(world, ofTerms({ ...TERMS, source }, memo))).toMatchObject({ kind: 'refused' });
    world.payeeMemoFault = async () => ({ kind: 'required', reason: 'is asked for' });
    expect(await check(world, RETURN_JOB)).toMatchObject({ kind: 'refused', reason: 'the memo is asked for' });
  });

  test('stands, once it has gone back, against nothing that another payer is paid back', async () => {
    const world = await paidByOther();
    const returned: SignedOrder = { side: 'source', payment: { ...RETURN_JOB.payment, reference: 'back-1' } };
    const own = { reference: 'own', amount: REFUND.amount, confirmations: 6, payer: '0xalice' };
    world.deposits = [own];
    world.payments = [returned, REFUND_JOB].map(({ side, payment }) => paymentDigest(side, payment));
    const late = { ...REFUND_JOB, earlier: [returned] };
    const landed = (confirmations: number) =>
      world.statuses.set('back-1', { state: 'paid', transaction: 'tx', confirmations });
    /** By who has signed the return, and by who goes by the guard's list. */
    const both = async (job: SigningJob) => {
      const answers = await Promise.all([
        check(world, job),
        knowing(world, job, { record: { seen: [], signed: [returned] } }),
      ]);
      return answers.map((answer) => (answer.ok ? 'signs' : answer.reason));
    };
    const waits = 'another payment of the transfer may still go through';
    expect(await both(late)).toEqual([waits, waits]);
    landed(5);
    expect(await both(late)).toEqual([waits, waits]);
    landed(6);
    expect(await both(late)).toEqual(['signs', 'signs']);
    const [paid] = ['the transfer was paid'];
    // Several have signed it, the payer of the terms among them: no payer is named, and no return pays it.
    const { payer: _, ...unnamed } = own;
    world.deposits = [unnamed];
    expect(await both(late)).toEqual(['signs', 'signs']);
    // It is of whom the return has paid, or the very one has gone back under another form of the address.
    for (const deposit of [
      { ...own, payer: '0xexchange' },
      { ...own, reference: 'other-1' },
      { ...unnamed, reference: 'other-1' },
    ]) {
      world.deposits = [deposit];
      expect(await both(late)).toEqual([paid, paid]);
    }
    world.deposits = [{ ...own, amount: '7' }];
    expect(await both({ ...late, payment: { ...REFUND, amount: '7' } })).not.toContain(paid);
  });

  test('goes back once to each, and nothing is paid out after it', async () => {
    const world = await paidByOther();
    const returned: SignedOrder = { side: 'source', payment: { ...RETURN_JOB.payment, reference: 'back-1' } };
    world.statuses.set('back-1', { state: 'paid', transaction: 'tx', confirmations: 6 });
    const record = { seen: [], signed: [returned] };
    const paid = { kind: 'refused', reason: 'the transfer was paid' };
    expect(await knowing(world, RETURN_JOB, { record })).toMatchObject(paid);
    const friend = { ...world.others[0]!, reference: 'other-2', payer: '0xfriend' };
    world.others = [...world.others, friend];
    const toFriend = { ...RETURN_JOB, payment: { ...RETURN_JOB.payment, to: '0xfriend' } };
    expect(await knowing(world, toFriend, { record })).toMatchObject({ ok: true });
    // One that somebody else has signed as well is nobody's to return.
    const { payer: _, ...unnamed } = { ...friend, reference: 'other-3' };
    const funds = world.funds.bind(world);
    world.funds = async (terms, from) => (from === '0xfriend' ? [friend, unnamed] : funds(terms, from));
    expect(await knowing(world, toFriend, { record })).toMatchObject(paid);
    world.funds = funds;
    world.deposits = [{ reference: 'own', amount: TERMS.amountIn, confirmations: 6, at: NOW, payer: '0xalice' }];
    expect(await knowing(world, JOB, { record })).toMatchObject(paid);
  });

  test('does not go back where the transfer was paid out or given back, nor beside another payment of it', async () => {
    const world = await paidByOther();
    for (const [earlier, side] of [
      [PAYOUT, 'destination'],
      [REFUND, 'source'],
    ] as const) {
      world.statuses.set(earlier.reference, { state: 'paid', transaction: 'tx', confirmations: 6 });
      const record = {
        seen: [],
        signed: [{ side, payment: { ...earlier, reference: `${earlier.reference}-before` } }],
      };
      world.statuses.set(`${earlier.reference}-before`, { state: 'paid', transaction: 'tx', confirmations: 6 });
      const after = await knowing(world, RETURN_JOB, { record });
      expect(after).toMatchObject({ kind: 'refused', reason: 'the transfer was paid' });
      world.statuses.set(`${earlier.reference}-before`, { state: 'unspent' });
      expect(await knowing(world, RETURN_JOB, { record })).toMatchObject({ kind: 'not_yet' });
      world.statuses.clear();
    }
    const terms = { ...TERMS, source: OUTSIDE, destination: { kind: 'account', account: 'alice' } } as const;
    world.isPaidByLedger = true;
    expect(await check(world, ofTerms(terms, RETURN_JOB))).toMatchObject({ reason: 'the transfer was paid' });
    world.isPaidByLedger = false;
    expect(await check(world, ofTerms(terms, RETURN_JOB))).toMatchObject({ ok: true });
    expect(world.voided).toEqual([TERMS.id]);
  });
});

describe('a sweep', () => {
  const terms: TransferTerms = {
    ...TERMS,
    source: { kind: 'chain', chain: 'near', address: 'alice.near' },
    destination: { kind: 'account', account: 'customer' },
  };
  const commitment = termsCommitment(terms);
  const payment: PaymentOrder = { kind: 'sweep', commitment, reference: 'own-1', to: '', amount: '100000' };
  const job: SigningJob = { terms, payment, side: 'source', coSignature: null };
  const swept = (reference: string, kind: PaymentOrder['kind'] = 'sweep'): SignedOrder => ({
    side: 'source',
    payment: { ...payment, kind, reference },
  });

  /** A transfer that the ledger has paid out, whose deposit lies in its own account. */
  async function paidOut(chain: Vault['chain'] = 'near', custody?: Vault['custody']) {
    const { world } = await testCluster();
    const places = await world.places();
    vi.spyOn(world, 'places').mockImplementation(async () => {
      const source = { ...(places.source as Vault), chain, contract: null, custody };
      return { ...places, source, destination: null };
    });
    world.isPaidByLedger = true;
    world.there = '100000';
    return world;
  }
  const judged = (world: World, of: SigningJob, signed: readonly SignedOrder[] = [], change: Partial<JobChecks> = {}) =>
    checkJob(of, { ...CHECKS, eyes: world, now: world.now, record: { seen: [], signed }, ...change });
  const ofPayment = (change: Partial<PaymentOrder>): SigningJob => ({ ...job, payment: { ...payment, ...change } });

  test('of what the ledger has paid out is signed without the guard, funds or a module, and noted', async () => {
    const world = await paidOut();
    Object.assign(world, { deposits: [], cleared: null, payments: [], coSignFrom: 0 });
    const noted: string[] = [];
    const answer = await judged(world, job, [], { paidOut: { has: () => false, note: (of) => void noted.push(of) } });
    expect(answer).toMatchObject({ ok: true, value: { counted: null, isKept: true } });
    expect(noted).toEqual([commitment]);
    expect(world.voided).toEqual([]);
    world.isPaidByLedger = false;
    expect(
      await judged(world, job, [], { paidOut: { has: (of) => of === commitment, note: () => undefined } }),
    ).toMatchObject({ ok: true });
  });

  test('is not signed before the ledger has paid, so neither where the deposit is to go back', async () => {
    const world = await paidOut();
    world.isPaidByLedger = false;
    const refusal = { kind: 'not_yet', reason: 'its transfer is not paid out: the deposit may go back' };
    expect(await judged(world, job)).toMatchObject(refusal);
  });

  describe('whose transfer was paid in wrapped tokens, on the exchange’s own chain', () => {
    const wrapped: TransferTerms = {
      ...terms,
      destination: { kind: 'chain', chain: 'exchange', address: '0xalice' },
    };
    const mint: PaymentOrder = {
      kind: 'payout',
      commitment: termsCommitment(wrapped),
      reference: 'mint-1',
      to: '0xalice',
      amount: wrapped.amountOut,
    };
    const told: SigningJob = { ...ofTerms(wrapped, job), paidOut: [{ terms: wrapped, payment: mint }] };
    const untold = { kind: 'not_yet', reason: 'its transfer is not paid out: the deposit may go back' };

    async function minted(status: PaymentStatus) {
      const world = await paidOut();
      world.isPaidByLedger = false;
      const { source } = await world.places();
      const destination = { ...(source as Vault), chain: 'exchange', contract: 'wrapped' } as const;
      vi.spyOn(world, 'places').mockResolvedValue({ source, destination, guard: 'guard', scale: 8 });
      world.statuses.set('mint-1', status);
      return world;
    }
    const paid: PaymentStatus = { state: 'paid', transaction: 'minted', confirmations: 6 };

    test('goes by that payout, deep enough, which is told and noted', async () => {
      const world = await minted(paid);
      const noted: string[] = [];
      const noting = { paidOut: { has: () => false, note: (of: string) => void noted.push(of) } };
      expect(await judged(world, told, [], noting)).toMatchObject({ ok: true });
      expect(noted).toEqual([termsCommitment(wrapped)]);
      expect(await judged(world, { ...told, paidOut: [] })).toMatchObject(untold);
      const toAnother = { ...told, paidOut: [{ terms: wrapped, payment: { ...mint, to: '0xmallory' } }] };
      expect(await judged(world, toAnother)).toMatchObject(untold);
      const ofAnother = {
        ...told,
        paidOut: [{ terms: { ...wrapped, id: TERMS.id.replace('1', '2') }, payment: mint }],
      };
      expect(await judged(world, ofAnother)).toMatchObject(untold);
      expect(await judged(await minted({ ...paid, confirmations: 5 }), told)).toMatchObject(untold);
      expect(await judged(await minted({ ...paid, state: 'void' }), told)).toMatchObject(untold);
    });

    test('is signed as well by whom the payout was, once that is deep', async () => {
      const own: SignedOrder = { side: 'destination', payment: mint };
      expect(await judged(await minted(paid), told, [own])).toMatchObject({ ok: true });
      const noted = { paidOut: { has: () => true, note: () => undefined } };
      const shallow = await minted({ ...paid, confirmations: 5 });
      expect(await judged(shallow, told, [own], noted)).toMatchObject({ kind: 'not_yet' });
    });
  });

  test.each([
    ['to somebody', { to: 'mallory.near' }, 'what is swept goes to the vault alone'],
    ['to the vault by name', { to: '00'.repeat(32) }, 'what is swept goes to the vault alone'],
    ['with a memo', { memo: '7' }, 'the payment carries another memo than stated'],
    ['of another transfer', { commitment: 'ab'.repeat(32) }, 'the payment is of another transfer'],
  ] as const)('is not signed %s', async (_, change, reason) => {
    expect(await judged(await paidOut(), ofPayment(change))).toMatchObject({ kind: 'refused', reason });
  });

  test('is of what was paid in, on a chain where transfers have accounts of their own', async () => {
    const world = await paidOut();
    expect(await judged(world, { ...job, side: 'destination' })).toMatchObject({ kind: 'refused' });
    const refusal = { kind: 'refused', reason: 'no deposits are swept there' };
    expect(await judged(await paidOut('solana'), job)).toMatchObject(refusal);
    const custody = { provider: 'one', account: '1', asset: 'NEAR' };
    expect(await judged(await paidOut('near', custody), job)).toMatchObject(refusal);
  });

  test('takes all that is there, but for a speck', async () => {
    const world = await paidOut();
    for (const [amount, ok] of [
      ['99900', true],
      ['99899', false],
      ['100001', false],
    ] as const)
      expect(await judged(world, ofPayment({ amount })), amount).toMatchObject({ ok });
  });

  test('follows another once that is spent, and no refund that may stand', async () => {
    const world = await paidOut();
    const before = [swept('own-0')];
    expect(await judged(world, job, before)).toMatchObject({ kind: 'not_yet' });
    for (const state of ['paid', 'void'] as const) {
      world.statuses.set('own-0', { state, transaction: 'landed', confirmations: 6 });
      expect(await judged(world, job, before), state).toMatchObject({ ok: true, value: { voided: before } });
    }
    const refund = [swept('back', 'refund')];
    expect(await judged(world, job, refund)).toMatchObject({ kind: 'not_yet' });
    world.statuses.set('back', { state: 'paid', transaction: 'back', confirmations: 6 });
    expect(await judged(world, job, refund)).toMatchObject({ kind: 'refused', reason: 'the transfer was paid' });
    expect(await judged(world, job, [swept('own-1', 'refund')])).toMatchObject({ kind: 'refused' });
  });

  test('is signed once by a reference, and so often at most for one transfer', async () => {
    const world = await paidOut();
    world.statuses.set('own-1', { state: 'paid', transaction: 'landed', confirmations: 6 });
    expect(await judged(world, job, [swept('own-1')])).toMatchObject({
      kind: 'refused',
      reason: 'the transfer was paid',
    });
    const many = Array.from({ length: SWEEPS_MAX }, (_, number) => swept(`gone-${number}`));
    for (const { payment: gone } of many)
      world.statuses.set(gone.reference, { state: 'void', transaction: 'gone', confirmations: 6 });
    expect(await judged(world, ofPayment({ reference: 'own-2' }), many)).toMatchObject({
      reason: 'its deposit was swept often enough',
    });
    expect(await judged(world, ofPayment({ reference: 'own-2' }), many.slice(1))).toMatchObject({ ok: true });
  });
});
