import { describe, expect, test } from 'vitest';
import { askedCall, balanceAfter } from './asked-call.ts';

describe('a call that waits', () => {
  test('is read with or without the segment of its profile', () => {
    expect(askedCall('POST /exchange/v1/operator/deposits')).toEqual({
      kind: 'deposit',
      subject: null,
      method: 'POST',
      path: '/v1/operator/deposits',
    });
    expect(askedCall('PATCH /v1/operator/users/olivia')).toMatchObject({ kind: 'change_user', subject: 'olivia' });
    expect(askedCall('POST /exchange/v1/operator/markets/ACME-USD/resume')).toMatchObject({
      kind: 'resume_market',
      subject: 'ACME-USD',
    });
  });

  test('that this page does not know is called so, also where its path begins alike', () => {
    expect(askedCall('POST /exchange/v1/operator/oauth-clients/c/rotate').kind).toBe('other');
    expect(askedCall('POST /exchange/v1/operator/users/a/b/reactivate').kind).toBe('other');
    expect(askedCall('DELETE /exchange/v1/operator/deposits').kind).toBe('other');
  });
});

test('a call whose path does not decode is one that this page does not know', () => {
  expect(askedCall('POST /exchange/v1/operator/users/%zz/reactivate')).toEqual({
    kind: 'other',
    subject: null,
    method: 'POST',
    path: '/v1/operator/users/%zz/reactivate',
  });
  expect(askedCall('POST /exchange/v1/operator/accounts/a%2Fb/unfreeze').subject).toBe('a/b');
});

describe('a balance afterwards', () => {
  const before = { available: '100.10', held: '25' };

  test('has what is paid in', () => {
    const deposit = { type: 'deposit', amount: '0.2', isRequest: true } as const;
    expect(balanceAfter(before, deposit)).toEqual({ available: '100.30', held: '25' });
  });

  test('pays a request out of what is held for it, and an act by hand out of what is available', () => {
    const withdrawal = { type: 'withdrawal', amount: '25' } as const;
    expect(balanceAfter(before, { ...withdrawal, isRequest: true })).toEqual({ available: '100.10', held: '0' });
    expect(balanceAfter(before, { ...withdrawal, isRequest: false })).toEqual({ available: '75.10', held: '25' });
  });
});
