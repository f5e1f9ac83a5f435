import { describe, expect, test } from 'vitest';
import { changedFields, isListingUnderWay, LISTING_STEPS, mayStop, nextStatuses } from './asset-words.ts';

describe('an asset', () => {
  test.each([
    ['PENDING', ['APPROVED', 'DELISTED']],
    ['APPROVED', ['SUSPENDED', 'DELISTED']],
    ['SUSPENDED', ['APPROVED', 'DELISTED']],
    ['DELISTED', []],
  ] as const)('that is %s may become %j', (status, next) => {
    expect(nextStatuses(status)).toEqual(next);
  });

  test('is sent what differs alone, blanks around it aside', () => {
    const now = { name: 'Acme', issuerName: '', tradeable: 'yes' };
    expect(changedFields(now, { name: ' Acme ', issuerName: 'Acme Inc', tradeable: 'no' })).toEqual([
      'issuerName',
      'tradeable',
    ]);
    expect(changedFields(now, now)).toEqual([]);
  });
});

describe('a listing event', () => {
  test('may be stopped until it has turned firm', () => {
    expect(LISTING_STEPS.filter(mayStop)).toEqual(['announced', 'offered', 'allotted']);
    expect(mayStop('stopping')).toBe(false);
  });

  test('is looked at again while it goes on', () => {
    expect((['announced', 'converted', 'stopping', 'withdrawing'] as const).every(isListingUnderWay)).toBe(true);
    expect((['done', 'refused', 'stopped'] as const).some(isListingUnderWay)).toBe(false);
  });
});
