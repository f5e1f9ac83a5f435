import { describe, expect, test } from 'vitest';
import { type AskedCall, decisionFailure } from './approval.ts';

const asked: AskedCall = {
  state: 'asked',
  people: ['olivia', 'oskar'],
  call: 'PATCH /exchange/v1/operator/users/uma',
  body: '{"reason":"asked for"}',
  expiresAt: 1_000,
};

describe('a call that a second operator decides on', () => {
  test.each([
    ['another person', asked, ['pia'], 0, null],
    ['whoever asked', asked, ['olivia'], 0, 'same_person'],
    ['whoever may have asked by a client', asked, ['bot', 'oskar'], 0, 'same_person'],
    ['the user whom it is about', asked, ['uma'], 0, 'about_you'],
    [
      'the user whom it is about, in another spelling',
      { ...asked, call: 'PATCH /users/%75ma' },
      ['uma'],
      0,
      'about_you',
    ],
    [
      'whose account it pays into',
      { ...asked, call: 'POST /deposits', body: '{"accountId":"uma"}' },
      ['uma'],
      0,
      'about_you',
    ],
    ['another person, of a path that is no text', { ...asked, call: 'PATCH /users/%' }, ['pia'], 0, null],
    ['another person, too late', asked, ['pia'], 1_000, 'expired'],
    ['another person, a second time', { ...asked, state: 'rejected' as const }, ['pia'], 0, 'decided'],
  ])('M-13: %s', (_, call, deciders, now, failure) => {
    expect(decisionFailure(call, { deciders: new Set(deciders), behind: [] }, now)).toBe(failure);
  });

  test('M-13: whoever is behind a request or trade that it names by its id', () => {
    const call = { ...asked, call: 'POST /transfer-requests/r-1/execute' };
    const failureOf = (decider: string) =>
      decisionFailure(call, { deciders: new Set([decider]), behind: ['account-of-pia'] }, 0);
    expect([failureOf('account-of-pia'), failureOf('account-of-quinn')]).toEqual(['about_you', null]);
  });
});
