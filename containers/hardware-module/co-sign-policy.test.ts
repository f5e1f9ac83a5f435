import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TERMS } from '../../domain/bridge/signing/signing.fixtures.ts';
import { type CoSigned, type CoSignRules, coSignFault } from './co-sign-policy.ts';

const RULES: CoSignRules = {
  organizations: ['acme'],
  assets: { BTC: { transferMax: 50, windowMax: 100 }, ETH: { transferMax: 10, windowMax: 10 } },
  window_ms: 1_000,
  countMax: 4,
};
const terms = (amount: number, asset = 'BTC', organization = 'acme') => ({ ...TERMS, amount, asset, organization });
const signed = (amount: number, at: number, asset = 'BTC'): CoSigned => ({ commitment: `${at}`, asset, amount, at });

test('a module signs for those whom it serves, and no more at once than it may', () => {
  expect(coSignFault(RULES, [], terms(50), 'x', 0)).toBeNull();
  expect(coSignFault(RULES, [], terms(51), 'x', 0)).toBe('the amount is more than one transfer may have');
  expect(coSignFault(RULES, [], terms(1, 'BTC', 'other'), 'x', 0)).toBe('the organization is not served');
  expect(coSignFault(RULES, [], terms(1, 'constructor'), 'x', 0)).toBe('the asset is not served');
  expect(coSignFault(RULES, [], terms(-1), 'x', 0)).toBe('the amount is none');
  expect(coSignFault(RULES, [], terms(0.5), 'x', 0)).toBe('the amount is none');
});

test('what was signed in the window counts, each asset for itself, and a transfer once', () => {
  const two = [signed(50, 1), signed(45, 2)];
  expect(coSignFault(RULES, two, terms(5), 'x', 3)).toBeNull();
  expect(coSignFault(RULES, two, terms(6), 'x', 3)).toBe('too much of the asset was signed lately');
  expect(coSignFault(RULES, two, terms(10, 'ETH'), 'x', 3)).toBeNull();
  expect(coSignFault(RULES, two, terms(50), '1', 3)).toBeNull();
  expect(coSignFault(RULES, two, terms(50), 'x', 1_001)).toBeNull();
  const four = [1, 2, 3, 4].map((at) => signed(1, at));
  expect(coSignFault(RULES, four, terms(1), 'x', 5)).toBe('too many transfers were signed lately');
});

test('no window ever has more than its limits', () => {
  const asked = fc.record({ amount: fc.integer({ min: 1, max: 60 }), gap: fc.integer({ min: 0, max: 600 }) });
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 60 }), (requests) => {
      const log: CoSigned[] = [];
      let now = 0;
      for (const { amount, gap } of requests) {
        now += gap;
        const commitment = String(log.length);
        if (coSignFault(RULES, log, terms(amount), commitment, now) === null)
          log.push({ commitment, asset: 'BTC', amount, at: now });
      }
      for (const { at } of log) {
        const window = log.filter((each) => each.at >= at && each.at - at < RULES.window_ms);
        expect(window.length).toBeLessThanOrEqual(RULES.countMax);
        expect(window.reduce((total, each) => total + each.amount, 0)).toBeLessThanOrEqual(100);
      }
    }),
  );
});
