import type { Mutant } from './mutant.ts';

const TEST = 'test/runtime/workers/partner/action-splits.test.ts';
const STATES = 'domain/partner/security-state.test.ts';
const SPLIT = 'application/partner/actions/split-security.ts';

/** Rules of splits that take effect. */
export const ACTION_SPLIT_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a split that is moving is not cancelled',
    file: 'domain/corporate-actions/action-state.ts',
    from: "complete: { effective: 'completed' },\n  reverse: {},\n  finish_reversal: {},\n  consent: { announced: 'announced' },\n  cancel: { announced: 'cancelled' }",
    to: "complete: { effective: 'completed' },\n  reverse: {},\n  finish_reversal: {},\n  consent: { announced: 'announced' },\n  cancel: { announced: 'cancelled', effective: 'cancelled' }",
    tests: ['domain/corporate-actions/action-state.test.ts'],
  },
  {
    rule: 'a split that could not take place may be cancelled',
    file: SPLIT,
    from: 'if (isMoving) await',
    to: 'if (!isMoving) await',
    tests: [TEST],
  },
  {
    rule: 'rounding up gives no more than a thousandth in all',
    file: 'domain/corporate-actions/rounded-up.ts',
    from: 'BigInt(parts) * ROUNDED_ONE_IN > BigInt(units) * BigInt(to)',
    to: 'false',
    tests: ['domain/corporate-actions/rounded-up.test.ts'],
  },
  {
    rule: 'a split by which rounding gives too much does not begin',
    file: SPLIT,
    from: "if (await gainsTooMuch(env, action, terms)) return wait(env, action, 'fractions');",
    to: '',
    tests: [TEST],
  },
  {
    rule: 'fractions are looked at once more when nothing changes the register any longer',
    file: 'application/partner/register/split-shares.ts',
    from: 'if (ratio.action !== undefined && (await roundsUpTooMuch(',
    to: 'if (ratio.action === undefined && (await roundsUpTooMuch(',
    tests: [TEST],
  },
  {
    rule: 'the halt of a split is lifted once no split needs it',
    file: 'data/partner/actions/corporate-actions.ts',
    from: "(a.state IN ('effective', 'recorded', 'funding', 'funded', 'returning')\n          OR (a.state = 'announced' AND",
    to: "(a.state <> 'cancelled'\n          OR (a.state = 'announced' AND",
    tests: [TEST],
  },
  {
    rule: 'a lister does not lift the halt of a split',
    file: 'domain/partner/security-state.ts',
    from: "by !== 'operator' && haltedBy !== by",
    to: "by !== 'operator' && haltedBy === 'operator'",
    tests: [STATES],
  },
  {
    rule: 'an operator takes over the halt of a split',
    file: 'domain/partner/security-state.ts',
    from: "state === 'halted' && haltedBy !== 'operator'",
    to: "haltedBy === 'lister'",
    tests: [STATES],
  },
  {
    rule: 'a split after the record date changes nothing of a dividend',
    file: 'data/partner/actions/entitlements.ts',
    from: "e.type NOT IN ('transfer', 'reversal')",
    to: "e.type NOT IN ('transfer', 'reversal', 'split')",
    tests: [TEST],
  },
  {
    rule: 'a split that is cancelled holds nothing still in the ledger',
    file: 'application/partner/actions/stop-action.ts',
    from: "if (type === 'stock_split' && !(await giveUpSplit",
    to: "if (type !== 'stock_split' && !(await giveUpSplit",
    tests: [TEST],
  },
  {
    rule: 'a split that waits again holds nothing still in the ledger',
    file: 'application/partner/register/split-shares.ts',
    from: '      await releaseSplit(env, { id, security });\n',
    to: '',
    tests: [TEST],
  },
];
