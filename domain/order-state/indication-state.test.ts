import { expect, test } from 'vitest';
import { indicationStateOf } from './indication-state.ts';

test.each([
  ['open', null, 'INDICATED'],
  ['cancelled', 'user', 'WITHDRAWN'],
  ['cancelled', 'delisted', 'LAPSED'],
  ['cancelled', 'revoked', 'LAPSED'],
  ['filled', null, 'CONVERTED'],
  ['rejected', 'ACCREDITATION_REQUIRED', null],
] as const)('an order that is %s (code %s) is as an indication: %s', (status, code, state) => {
  expect(indicationStateOf(status, code)).toBe(state);
});
