import type { Mutant } from './mutant.ts';

/** Rules of what D1 and the objects keep: how much, and who fills it. */
export const STORE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a list that goes to D1 is cut by its bytes',
    file: 'data/list-parts.ts',
    from: ' || bytes + itemBytes > LIST_BYTES_MAX',
    to: '',
    tests: ['data/list-parts.test.ts'],
  },
  {
    rule: 'a text that D1 would refuse is refused in every runtime',
    file: 'data/sql-batch.ts',
    from: '&& !fitsD1(value)',
    to: '&& false && !fitsD1(value)',
    tests: ['test/runtime/adversary/transfer-agent/bytes-of-an-import.test.ts'],
  },
];
