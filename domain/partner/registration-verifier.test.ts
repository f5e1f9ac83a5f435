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

  test('finds the number alone of those that end in 997', () => {
    expect(simulatedRegistration('84-00997', 0)).toEqual({ type: 'number_verified' });
  });
});

describe('what a verifier says', () => {
  test('is read with its reason', () => {
    const finding = { type: 'refused', reason: 'withdrawn' };
    expect(readRegistrationFinding({ id: 'r', status: 'refused', reason: 'withdrawn' })).toEqual({
      reference: 'r',
      finding,
    });
  });

  test('M-22: proves who applies only where it says so', () => {
    const typeOf = (said: object) => readRegistrationFinding({ id: 'r', status: 'verified', ...said })?.finding.type;
    expect([{ speaksFor: true }, {}, { speaksFor: false }, { speaksFor: 'true' }].map(typeOf)).toEqual([
      'verified',
      'number_verified',
      'number_verified',
      'number_verified',
    ]);
    expect(readRegistrationFinding({ id: 'r', status: 'pending', speaksFor: true })?.finding.type).toBe('pending');
  });

  test.each([null, 'verified', {}, { id: 'r' }, { id: '', status: 'verified' }, { id: 'r', status: 'yes' }])(
    'in another form is nothing: %o',
    (value) => {
      expect(readRegistrationFinding(value)).toBeNull();
    },
  );
});
