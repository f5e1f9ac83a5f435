import type { Mutant } from './mutant.ts';

const TEST = 'test/runtime/workers/partner/mergers.test.ts';
const MERGE = 'application/partner/actions/merge-security.ts';
const HOLD = 'application/partner/register/end-shares.ts';

/** Rules of mergers for cash. */
export const ACTION_MERGER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a merger whose payer is refused lets shares go',
    file: MERGE,
    from: "asked === 'refused' && letGo(",
    to: "asked === 'never' && letGo(",
    tests: [TEST],
  },
  {
    rule: 'what was given up of a merger holds no shares',
    file: MERGE,
    from: '  await releaseAttempts(env, action);\n',
    to: '',
    tests: [TEST],
  },
  {
    rule: 'the job of registers leaves the shares held that a merger needs',
    file: HOLD,
    from: 'mergerEventId(each) === event.id)) return;',
    to: 'mergerEventId(each) === event.hash)) return;',
    tests: [TEST],
  },
  {
    rule: 'a security is delisted by its merger',
    file: MERGE,
    from: '  if (!(await delist(env, action))) return false;\n',
    to: '',
    tests: [TEST],
  },
  {
    rule: 'a merger that has begun is not cancelled',
    file: 'domain/corporate-actions/action-state.ts',
    from: "complete: { funded: 'completed' },\n  reverse: {},\n  finish_reversal: {},\n  cancel: { announced: 'cancelled' }",
    to: "complete: { funded: 'completed' },\n  reverse: {},\n  finish_reversal: {},\n  cancel: { announced: 'cancelled', funding: 'cancelled' }",
    tests: ['domain/corporate-actions/action-state.test.ts'],
  },
  {
    rule: 'all shares may end at once in the ledger',
    file: 'domain/ledger/splits.ts',
    from: '(isSplitRatio(terms) || endsAll(terms))',
    to: '(isSplitRatio(terms))',
    tests: ['domain/ledger/splits.test.ts'],
  },
];
