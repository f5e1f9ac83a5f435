import { expect, test, vi } from 'vitest';
import type { PaymentOrder } from '../chains/chain-adapter.ts';
import { type Place, type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import type { SigningJob } from './bridge-signer.ts';
import { ORGANIZATION } from './ceremony/ceremony.fixtures.ts';
import { checkJob, takenJob } from './check-job.ts';
import type { SignedOrder } from './memory/transfer-record.ts';
import { paymentDigest } from './payment-digest.ts';
import { CANCEL, JOB, PAYOUT, REFUND, REFUND_JOB, TERMS, testCluster, type World } from './signing.fixtures.ts';

// A key ceremony is slow on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const withMemo = (place: Place, memo: string): Place => ({ ...place, memo }) as Place;
const STATED: TransferTerms = {
  ...TERMS,
  source: withMemo(TERMS.source, 'back 7'),
  destination: withMemo(TERMS.destination, '104562'),
};

const check = (world: World, job: SigningJob, signed: readonly SignedOrder[] = []) =>
  checkJob(job, {
    organization: ORGANIZATION,
    eyes: world,
    now: world.now,
    record: { seen: [], signed },
    hasPlace: () => true,
    paidOut: { has: () => false, note: () => undefined },
  });

function jobOf(job: SigningJob, change: Partial<PaymentOrder>, terms = STATED): SigningJob {
  return { ...job, terms, payment: { ...job.payment, commitment: termsCommitment(terms), ...change } };
}

test('B-08: a signer signs a payment with the memo of the terms, and no payment with another or without it', async () => {
  const { world } = await testCluster();
  const another = { ok: false, kind: 'refused', reason: 'the payment carries another memo than stated' };
  for (const [job, memo, other] of [
    [JOB, '104562', 'back 7'],
    [REFUND_JOB, 'back 7', '104562'],
  ] as const) {
    expect(await check(world, jobOf(job, { memo }))).toMatchObject({ ok: true });
    for (const changed of [undefined, '', '104563', `${memo} `, other])
      expect(await check(world, jobOf(job, { memo: changed })), String(changed)).toEqual(another);
    expect(await check(world, jobOf(job, { memo }, TERMS)), 'none is stated').toEqual(another);
  }
});

test('B-08: terms with another memo are another transfer, on each side for itself', () => {
  const { source, destination } = STATED;
  const changed: TransferTerms[] = [
    TERMS,
    { ...TERMS, destination },
    { ...TERMS, source },
    STATED,
    { ...TERMS, destination: withMemo(destination, 'back 7'), source: withMemo(source, '104562') },
    { ...TERMS, destination: withMemo(destination, 'back 7') },
    { ...TERMS, destination: withMemo(destination, '') },
    { ...TERMS, destination: { ...TERMS.destination, address: 'bc1alice 104562' } as Place },
    { ...TERMS, destination: { ...TERMS.destination, address: 'bc1alice",null,"104562' } as Place },
  ];
  expect(new Set(changed.map(termsCommitment)).size).toBe(changed.length);
});

test('B-08: a payment with another memo is another one on the list of the guard', () => {
  const orders = [PAYOUT, { ...PAYOUT, memo: '1' }, { ...PAYOUT, memo: '2' }, { ...PAYOUT, memo: '' }];
  expect(new Set(orders.map((payment) => paymentDigest('destination', payment))).size).toBe(4);
  expect(paymentDigest('destination', { ...PAYOUT, memo: undefined })).toBe(paymentDigest('destination', PAYOUT));
});

test('B-08: what cancels a payment carries no memo, whatever it is asked for with', () => {
  const job = takenJob({ ...JOB, payment: { ...CANCEL, memo: '104562' } });
  expect('memo' in job.payment).toBe(false);
  expect(takenJob(jobOf(JOB, { memo: '104562' })).payment.memo).toBe('104562');
});

test('B-08: a signer pays nobody who has begun to ask for a memo since, and gives funds back all the same', async () => {
  const { world } = await testCluster();
  world.fault = { kind: 'required', reason: 'is asked for by the payee’s account: state a tag' };
  expect(await check(world, JOB)).toEqual({
    ok: false,
    kind: 'refused',
    reason: 'the memo is asked for by the payee’s account: state a tag',
  });
  expect(await check(world, REFUND_JOB)).toMatchObject({ ok: true });
  const signed = [{ side: 'destination', payment: PAYOUT }] as const;
  expect(await check(world, { ...JOB, payment: CANCEL }, signed)).toMatchObject({ ok: true });
  expect(REFUND.memo).toBeUndefined();
});
