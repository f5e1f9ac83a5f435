import { expect, it } from 'vitest';
import { isNonCommercial } from './is-non-commercial.ts';

it.each([
  'CC-BY-NC-4.0',
  'CC BY-NC-SA 4.0',
  'Non-commercial research purposes only',
  'noncommercial',
  'S-Lab-1.0',
  'research only',
])('%s forbids commercial use, whatever is claimed beside it', (licence) => {
  expect(isNonCommercial({ licence, commercialUse: true })).toBe(true);
});

it.each(['MIT', 'Apache-2.0', 'BSD-3-Clause', 'CC-BY-4.0', 'NCSA'])(
  '%s allows it, unless the model says otherwise',
  (licence) => {
    expect(isNonCommercial({ licence, commercialUse: true })).toBe(false);
    expect(isNonCommercial({ licence, commercialUse: false })).toBe(true);
  },
);
