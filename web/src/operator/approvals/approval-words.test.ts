import { describe, expect, test } from 'vitest';
import { approvalState, choicesOf, fieldOf } from './approval-words.ts';

const now = Date.parse('2026-11-29T12:00:00Z');
const waits = { state: 'asked', usedBy: null, own: false, expiresAt: '2026-11-30T12:00:00Z' } as const;

describe('an approval', () => {
  test('of somebody else is approved or rejected, and one that was approved may still be rejected', () => {
    expect(choicesOf(waits, now)).toEqual(['approve', 'reject']);
    expect(choicesOf({ ...waits, state: 'approved' }, now)).toEqual(['reject']);
  });

  test('of one’s own waits, and is made once it is approved', () => {
    expect(choicesOf({ ...waits, own: true }, now)).toEqual([]);
    expect(choicesOf({ ...waits, own: true, state: 'approved' }, now)).toEqual(['make']);
  });

  test('that was used, rejected or has ended leaves nothing to do', () => {
    expect(choicesOf({ ...waits, state: 'approved', own: true, usedBy: 'a' }, now)).toEqual([]);
    expect(choicesOf({ ...waits, state: 'rejected' }, now)).toEqual([]);
    expect(choicesOf({ ...waits, expiresAt: new Date(now).toISOString() }, now)).toEqual([]);
  });

  test('that was used is shown as made', () => {
    expect(approvalState({ state: 'approved', usedBy: 'a' })).toBe('made');
    expect(approvalState(waits)).toBe('asked');
  });

  test('shows a field of its body as text', () => {
    expect(fieldOf({ amount: '12.50', roles: ['trader'] }, 'roles')).toBe('["trader"]');
    expect(fieldOf({ amount: '12.50' }, 'amount')).toBe('12.50');
    expect(fieldOf(null, 'amount')).toBeNull();
  });
});
