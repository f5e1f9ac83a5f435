import { expect, test } from 'vitest';
import { saidOf, shownStateOf } from './request-words.ts';

test('a request that nobody decided in time is told as lapsed, and not as taken back with a reason', () => {
  const lapsed = { status: 'cancelled', reason: 'lapsed' } as const;
  expect([shownStateOf(lapsed), saidOf(lapsed)]).toEqual(['lapsed', null]);
});

test('a request that its person took back, and one that a person at the venue has refused, are told as they are', () => {
  const taken = { status: 'cancelled', reason: null } as const;
  expect([shownStateOf(taken), saidOf(taken)]).toEqual(['cancelled', null]);
  const refused = { status: 'rejected', reason: 'lapsed' } as const;
  expect([shownStateOf(refused), saidOf(refused)]).toEqual(['rejected', 'lapsed']);
});
