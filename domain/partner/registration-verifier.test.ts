import { describe, expect, test } from 'vitest';
import { readRegistrationFinding, simulatedRegistration } from './registration-verifier.ts';

describe('the simulated verifier', () => {
  test('believes numbers of both registries', () => {
    for (const number of ['84-01234', '85-54321'])
      expect(simulatedRegistration(number, 0)).toEqual({ type: 'verified' });
  });

  test('refuses a number of another form, and those that end in 999', () => {
    for (const number of ['83-01234', '84-1234', '84-012345', '84-00999'])
      expect(simulatedRegistration(number, 0)).toMatchObject({ type: 'refused' });
  });

  test('takes an hour for numbers that end in 998', () => {
    expect(simulatedRegistration('84-00998', 3_599_999)).toEqual({ type: 'pending' });
    expect(simulatedRegistration('84-00998', 3_600_000)).toEqual({ type: 'verified' });
  });
});

describe('what a verifier says', () => {
  test('is read with its reason', () => {
    const finding = { type: 'refused', reason: 'withdrawn' };
    expect(readRegistrationFinding({ id: 'r', status: 'refused', reason: 'withdrawn' })).toEqual({
      reference: 'r',
      finding,
    });
    expect(readRegistrationFinding({ id: 'r', status: 'verified' })).toEqual({
      reference: 'r',
      finding: { type: 'verified' },
    });
  });

  test.each([null, 'verified', {}, { id: 'r' }, { id: '', status: 'verified' }, { id: 'r', status: 'yes' }])(
    'in another form is nothing: %o',
    (value) => {
      expect(readRegistrationFinding(value)).toBeNull();
    },
  );
});
