import { expect, test } from 'vitest';
import type { BookStatus } from '../../../durable-objects/order-book/api.ts';
import { BookAnswers } from './book-answers.ts';

const BUSY: BookStatus = {
  market: 'open',
  owner: 'o1',
  batch: 1,
  settled: 1,
  journaled: 1,
  outbox: 0,
  queued: 0,
  liveOrders: 1,
  haltedUntil: null,
  halted: null,
};
const IDLE: BookStatus = { ...BUSY, liveOrders: 0 };
const isKept = (status: BookStatus, after: number, market: BookStatus['market'] = 'open') => {
  const answers = new BookAnswers();
  answers.note('ACME-USD', status, 1_000);
  return answers.find('ACME-USD', market, 1_000 + after) !== null;
};

test('a book with open orders is asked again after 5 s, one in which nothing is open after a minute', () => {
  expect([isKept(BUSY, 4_999), isKept(BUSY, 5_000)]).toEqual([true, false]);
  expect([isKept(IDLE, 59_999), isKept(IDLE, 60_000)]).toEqual([true, false]);
});

test('a book that stands still, or has not started, is no idle one', () => {
  for (const trouble of [{ halted: 'row 1' }, { haltedUntil: 2_000 }, { owner: '' }, { outbox: 1 }])
    expect(isKept({ ...IDLE, ...trouble }, 5_000)).toBe(false);
});

test('a market whose state has changed since is asked at once, and one that nobody asked', () => {
  expect(isKept(IDLE, 1, 'halted')).toBe(false);
  expect(new BookAnswers().find('ACME-USD', 'open', 1_000)).toBeNull();
});
