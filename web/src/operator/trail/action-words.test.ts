import { expect, test } from 'vitest';
import { actionLabel, changesOf, reasonOf } from './action-words.ts';

test('a type of the trail is read as words', () => {
  expect(actionLabel('operator.kill_switch_pulled')).toBe('Kill switch pulled');
  expect(actionLabel('operator.identity_document_seen')).toBe('Identity document seen');
});

test('of two states what differs is shown, and nothing else', () => {
  const before = { frozen: false, kycStatus: 'completed', limits: ['1'] };
  const after = { frozen: true, kycStatus: 'completed', limits: ['1', '2'], since: '5' };
  expect(changesOf(before, after)).toEqual([
    { name: 'frozen', before: 'false', after: 'true' },
    { name: 'limits', before: '["1"]', after: '["1","2"]' },
    { name: 'since', before: null, after: '5' },
  ]);
  expect(changesOf(null, null)).toEqual([]);
});

test('a reason is shown where one was said', () => {
  expect(reasonOf({ details: { reason: 'as asked' } })).toBe('as asked');
  expect(reasonOf({ details: { reason: { a: 1 } } })).toBeNull();
  expect(reasonOf({ details: {} })).toBeNull();
});
