import { expect, test } from 'vitest';
import { caseVariants } from './case-variants.ts';

test('words are compared as they are, small, large, and with a capital each', () => {
  expect(caseVariants('übersee ag')).toEqual(['übersee ag', 'ÜBERSEE AG', 'Übersee Ag']);
  expect(caseVariants('éCLAIR')).toEqual(['éCLAIR', 'éclair', 'ÉCLAIR', 'Éclair']);
  expect(caseVariants('7')).toEqual(['7']);
});
