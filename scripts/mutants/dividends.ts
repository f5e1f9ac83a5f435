import type { Mutant } from './mutant.ts';

const TEST = 'test/runtime/workers/partner/dividends.test.ts';
const LEDGER_TEST = 'domain/ledger/distributions.test.ts';
const ENTITLEMENTS = 'data/partner/actions/entitlements.ts';
const STEPS = 'application/partner/actions/carry-on-dividend.ts';

/** Rules of dividends: who is entitled, who pays, and that each is paid once. */
export const DIVIDEND_MUTANTS: readonly Mutant[] = [
  {
    rule: 'the pool of distributions never pays more than it has',
    file: 'domain/ledger/distributions.ts',
    from: 'if (balances.availableOf(POOL, asset) < change)',
    to: 'if (false)',
    tests: [LEDGER_TEST],
  },
  {
    rule: 'who has too little for a distribution is left out',
    file: 'domain/ledger/distributions.ts',
    from: 'return free + change < 0',
    to: 'return false',
    tests: [LEDGER_TEST],
  },
  {
    rule: 'a distribution names no boundary account',
    file: 'domain/ledger/distributions.ts',
    from: 'if (legs.some(({ account }) => isBoundary(account)))',
    to: 'if (false)',
    tests: [LEDGER_TEST],
  },
  {
    rule: 'a trade after the record date does not count',
    file: ENTITLEMENTS,
    from: `WHERE t.book = \${book} AND t.sequence > \${lastTrade}`,
    to: `WHERE FALSE AND t.book = \${book} AND t.sequence > \${lastTrade}`,
    tests: [TEST],
  },
  {
    rule: 'a trade by which its buyer has a dividend is not taken back',
    file: 'application/ledger/adjust-trade.ts',
    from: 'if (dividend !== null && !dividendsSettled)',
    to: 'if (dividend !== null && false)',
    tests: [TEST],
  },
  {
    rule: 'a dividend that is reversed keeps no trade from being taken back',
    file: 'data/partner/actions/dividend-since.ts',
    from: "a.state NOT IN ('cancelled', 'reversed') OR",
    to: 'TRUE OR',
    tests: [TEST],
  },
  {
    rule: 'nobody is recorded while an agent takes a trade back',
    file: ENTITLEMENTS,
    from: `AND state = 'rejecting'\``,
    to: `AND state = 'never'\``,
    tests: [TEST],
  },
  {
    rule: 'shares that were issued after the record date do not count',
    file: ENTITLEMENTS,
    from: `AND e.state = 'recorded' AND e.recorded_at > \${recordAt}`,
    to: `AND e.state = 'recorded' AND e.recorded_at > \${recordAt} + 99999999`,
    tests: [TEST],
  },
  {
    rule: 'shares that are offered count',
    file: ENTITLEMENTS,
    from: 'SELECT account, available + held AS shares',
    to: 'SELECT account, available AS shares',
    tests: [TEST],
  },
  {
    rule: 'nobody is recorded while an event of the register is under way',
    file: ENTITLEMENTS,
    from: `AND NOT EXISTS (SELECT 1 FROM register_events WHERE security = \${security} AND state = 'announced')`,
    to: '',
    tests: [TEST],
  },
  {
    rule: 'a frozen account pays no dividend',
    file: ENTITLEMENTS,
    from: ' AND a.frozen = 0`',
    to: '`',
    tests: [TEST],
  },
  {
    rule: 'a dividend is not paid before its payment date',
    file: STEPS,
    from: 'if (now < action.dueAt) return false;',
    to: '',
    tests: [TEST],
  },
  {
    rule: 'no more is paid than the lister has agreed to',
    file: STEPS,
    from: 'if (total > (amountMax ?? AMOUNT_MAX))',
    to: 'if (false)',
    tests: [TEST],
  },
  {
    rule: 'a refused request for the money is asked again under another id',
    file: 'application/partner/actions/pay-holders.ts',
    from: `step: \`fund.\${attempt}\``,
    to: 'step: `fund`',
    tests: [TEST],
  },
  {
    rule: 'an action goes on only under what its lister has agreed to',
    file: 'data/partner/actions/corporate-actions.ts',
    from: `AND \${corporateActions.amountMax} IS \${amountMax}\``,
    to: '`',
    tests: [TEST],
  },
  {
    rule: 'a dividend is taken back within five days',
    file: 'application/partner/actions/change-action.ts',
    from: "if (action?.state === 'completed' && now >",
    to: "if (false && action?.state === 'completed' && now >",
    tests: [TEST],
  },
  {
    rule: 'a dividend of more than an amount may be asks for no money',
    file: STEPS,
    from: 'if (Math.max(accounts, external) > AMOUNT_MAX)',
    to: 'if (accounts > AMOUNT_MAX)',
    tests: [TEST],
  },
  {
    rule: 'actions that wait keep back no others',
    file: 'data/partner/actions/corporate-actions.ts',
    from: 'PARTITION BY begun, idle ORDER BY round',
    to: 'PARTITION BY begun ORDER BY round',
    tests: [TEST],
  },
  {
    rule: 'a change of an action writes nothing that it does not change',
    file: 'data/partner/actions/change-action.ts',
    from: 'const set = fields.map(',
    to: 'const set = CHANGED_FIELDS.map(',
    tests: [TEST],
  },
  {
    rule: 'nobody else pays the rest of a dividend of which holders were paid',
    file: 'data/partner/actions/change-action.ts',
    from: 'isOtherPayer ? sql',
    to: 'isOtherPayer && false ? sql',
    tests: [TEST],
  },
  {
    rule: 'a reversal by which nothing was taken begins no days anew',
    file: 'application/partner/actions/give-back.ts',
    from: "{ state: 'completed', reversedAt: null }",
    to: "{ state: 'completed', reversedAt: null, endedAt: now }",
    tests: [TEST],
  },
];
