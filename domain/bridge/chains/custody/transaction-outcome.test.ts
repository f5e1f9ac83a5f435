import { expect, it } from 'vitest';
import type { CustodyTransaction } from './custody-api.ts';
import { outcomeOf } from './transaction-outcome.ts';

const transaction: CustodyTransaction = {
  id: '1',
  status: 'SUBMITTED',
  assetId: 'BTC',
  source: { type: 'VAULT_ACCOUNT', id: '7' },
  destination: { type: 'ONE_TIME_ADDRESS' },
  amountInfo: {},
  createdAt: 0,
};
const outcome = (status: string, subStatus = '', txHash: string | null = null) =>
  outcomeOf({ ...transaction, status, subStatus, txHash });

it('is completed where the provider says so', () => {
  expect(outcome('COMPLETED', 'CONFIRMED', 'hash')).toBe('completed');
});

it('is dead where it was never signed, and never will be', () => {
  for (const [status, subStatus] of [
    ['CANCELLED', 'CANCELLED_BY_USER_REQUEST'],
    ['REJECTED', 'REJECTED_BY_USER'],
    ['BLOCKED', 'BLOCKED_BY_POLICY'],
    ['FAILED', 'INSUFFICIENT_FUNDS'],
    ['FAILED', 'AMOUNT_TOO_SMALL'],
  ] as const)
    expect([status, subStatus, outcome(status, subStatus)]).toEqual([status, subStatus, 'dead']);
});

it('is open while it is under way, or where it may land whatever the provider calls it', () => {
  for (const status of [
    'SUBMITTED',
    'PENDING_AML_SCREENING',
    'PENDING_AUTHORIZATION',
    'QUEUED',
    'PENDING_SIGNATURE',
    'PENDING_3RD_PARTY',
    'BROADCASTING',
    'CONFIRMING',
    'CANCELLING',
    'TIMEOUT',
    'a status of tomorrow',
  ])
    expect([status, outcome(status)]).toEqual([status, 'open']);
  for (const status of ['CANCELLED', 'REJECTED', 'BLOCKED', 'FAILED'])
    expect([status, outcome(status, 'INSUFFICIENT_FUNDS', 'hash')]).toEqual([status, 'open']);
  for (const subStatus of ['DROPPED_BY_BLOCKCHAIN', 'DOUBLE_SPENDING', 'SIGNING_ERROR', 'INTERNAL_ERROR', ''])
    expect([subStatus, outcome('FAILED', subStatus)]).toEqual([subStatus, 'open']);
  for (const subStatus of ['AUTO_FREEZE', 'FROZEN_MANUALLY', 'REJECTED_AML_SCREENING'])
    expect([subStatus, outcome('REJECTED', subStatus)]).toEqual([subStatus, 'open']);
});
