import { describe, expect, test } from 'vitest';
import { type AskedCall, decisionFailure, namesOf } from './approval.ts';

const UMA = '01a203b2-6db6-71a8-badb-4e778898fcfb';

const asked: AskedCall = {
  state: 'asked',
  people: ['olivia', 'oskar'],
  call: 'PATCH /exchange/v1/operator/users/uma',
  body: '{"reason":"asked for"}',
  expiresAt: 1_000,
  usedBy: null,
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
      'the user whom it is about, by an id in upper case',
      { ...asked, call: `PATCH /users/${UMA.toUpperCase()}` },
      [UMA],
      0,
      'about_you',
    ],
    [
      'whose account it pays into, by an id in upper case',
      { ...asked, call: 'POST /deposits', body: JSON.stringify({ accountId: UMA.toUpperCase() }) },
      [UMA],
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
    expect(decisionFailure(call, 'approved', { deciders: new Set(deciders), behind: [] }, now)).toBe(failure);
  });

  test.each([
    ['what was approved and not used', { ...asked, state: 'approved' as const }, null],
    ['what was approved and used', { ...asked, state: 'approved' as const, usedBy: 'an action' }, 'decided'],
    ['what was rejected', { ...asked, state: 'rejected' as const }, 'decided'],
  ])('M-13: may reject %s', (_, call, failure) => {
    const who = { deciders: new Set(['pia']), behind: [] };
    expect(decisionFailure(call, 'rejected', who, 0)).toBe(failure);
    expect(decisionFailure(call, 'approved', who, 0)).toBe('decided');
  });

  test('M-13: a trade is looked up by its id as it is kept, however the path writes it', () => {
    const call = `POST /exchange/v1/operator/trades/${UMA.toUpperCase()}/bust`;
    expect(namesOf({ call, body: '{}' })).toEqual(expect.arrayContaining([UMA, UMA.toUpperCase()]));
  });

  test('M-13: whoever is behind a request or trade that it names by its id', () => {
    const call = { ...asked, call: 'POST /transfer-requests/r-1/execute' };
    const failureOf = (decider: string) =>
      decisionFailure(call, 'approved', { deciders: new Set([decider]), behind: ['account-of-pia'] }, 0);
    expect([failureOf('account-of-pia'), failureOf('account-of-quinn')]).toEqual(['about_you', null]);
  });
});
