import { expect, test } from 'vitest';
import { recorderSettings } from './recorder-settings.ts';

const settings = (confirmations: string, gwei: string) =>
  recorderSettings({ REGISTRY_CONFIRMATIONS: confirmations, REGISTRY_GAS_GWEI_MAX: gwei });

test('the recorder takes whole confirmations, and a highest price of gas in gwei', () => {
  expect(settings('12', '500')).toEqual({ confirmations: 12, gasPriceMax: 500_000_000_000n });
  expect(settings('1', '0.05').gasPriceMax).toBe(50_000_000n);
});

test.each(['', '0', '-1', '1.5', 'twelve', 'NaN', 'Infinity'])('%j is no number of confirmations', (text) => {
  expect(() => settings(text, '500')).toThrow('REGISTRY_CONFIRMATIONS');
});

test.each(['', '0', '-1', 'many', 'NaN', 'Infinity', '1e12'])('%j is no price of gas', (text) => {
  expect(() => settings('12', text)).toThrow('REGISTRY_GAS_GWEI_MAX');
});
