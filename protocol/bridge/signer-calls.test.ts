import { expect, test } from 'vitest';
import { SIGNER_CALLS } from './signer-calls.ts';

const place = { kind: 'chain', chain: 'xrpl', address: 'r' } as const;
const terms = {
  id: 't',
  organization: 'acme',
  asset: 'XRP',
  source: { kind: 'account', account: 'alice' },
  destination: place,
  amountIn: '10',
  amountOut: '9',
  amount: 10,
  fee: 1,
  expiresAt: 1,
} as const;
const payment = { kind: 'payout', commitment: 'ab'.repeat(32), reference: 'r', to: 'r', amount: '9' } as const;
const job = { terms, payment, side: 'destination', coSignature: null } as const;

/** What a signer in a process of its own reads of a job, as it is sent. */
const read = (asked: object) =>
  SIGNER_CALLS.offer.asked.safeParse(JSON.parse(JSON.stringify([asked, 'session']))).data?.[0];

test('B-08: a signer in a process reads the memo of terms and payments as it is sent, and none where none is stated', () => {
  expect(read(job)).toEqual(job);
  const memo = '104562';
  const earlier = [{ side: 'destination', payment: { ...payment, memo: '1' } }] as const;
  const stated = {
    ...job,
    earlier,
    terms: { ...terms, destination: { ...place, memo } },
    payment: { ...payment, memo },
  };
  expect(read(stated)).toEqual(stated);
});

test('B-08: a memo of another form than a text that fits is no question to a signer', () => {
  for (const memo of [null, 12, 'x'.repeat(257)]) {
    expect(read({ ...job, payment: { ...payment, memo } }), String(memo)).toBeUndefined();
    expect(read({ ...job, terms: { ...terms, destination: { ...place, memo } } }), String(memo)).toBeUndefined();
  }
});
