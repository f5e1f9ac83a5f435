import type { Mutant } from './mutant.ts';

const OWN_TESTS = ['test/runtime/workers/exchange/own-account.test.ts'];
const VALUE = 'domain/portfolio/value-by-day.ts';
const VALUE_TESTS = ['domain/portfolio/value-by-day.test.ts'];
const MOVEMENTS = 'data/accounts/movements.ts';

/** Rules of what an account is told of itself. */
export const OWN_ACCOUNT_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a confirmation is of the account that had a part in the trade',
    file: 'data/orders/confirmed-fills.ts',
    from: ' AND x.',
    to: ' OR x.',
    tests: OWN_TESTS,
  },
  {
    rule: 'a statement has the trades of its account alone',
    file: MOVEMENTS,
    from: 'isTradeWithin(span)} AND ',
    to: 'isTradeWithin(span)} OR ',
    tests: OWN_TESTS,
  },
  {
    rule: 'a page of movements goes on behind the last row, also where another one is like it',
    file: MOVEMENTS,
    from: 'after?.seen ?? 0',
    to: '1',
    tests: ['test/runtime/workers/book/client-reads.test.ts'],
  },
  {
    rule: 'the ledger says while a book of the account cannot settle',
    file: 'application/ledger/settle-before-read.ts',
    from: "return settling === 'settled' ? 'whole' : 'partial';",
    to: "return 'whole';",
    tests: ['test/runtime/workers/book/client-reads.test.ts'],
  },
  {
    rule: 'a statement counts fees',
    file: MOVEMENTS,
    from: 'WHEN 2 THEN -',
    to: 'WHEN 2 THEN 0 * ',
    tests: OWN_TESTS,
  },
  {
    rule: 'a statement closes at what stands now less what has moved since',
    file: 'domain/portfolio/statement.ts',
    from: 'sum(movements, ({ since }) => since)',
    to: '0',
    tests: ['domain/portfolio/statement.test.ts'],
  },
  {
    rule: 'closes of before a split count no more',
    file: VALUE,
    from: 'return isOfBefore ? null : close.price;',
    to: 'return close.price;',
    tests: VALUE_TESTS,
  },
  {
    rule: 'closes of a source count for as many units as there are since a split',
    file: VALUE,
    from: 'if (before <= 0 || after <= 0) return;',
    to: 'return;',
    tests: VALUE_TESTS,
  },
  {
    rule: 'what has no price makes the value of a day unknown, and no profit',
    file: VALUE,
    from: 'if (value === null) return null;',
    to: 'if (value === null) continue;',
    tests: VALUE_TESTS,
  },
  {
    rule: 'what is paid in is no profit',
    file: 'application/portfolio/read-value-by-day.ts',
    from: 'isFlow: FLOWS.has(kind),',
    to: 'isFlow: false,',
    tests: OWN_TESTS,
  },
  {
    rule: 'what is free to sell ends before the first lot that is held back',
    file: 'domain/resale/free-to-sell.ts',
    from: 'if (outcomeOf(middle).allowed) allowed = middle;',
    to: 'if (outcomeOf(middle).allowed || middle < lots.length) allowed = middle;',
    tests: ['domain/resale/free-to-sell.test.ts'],
  },
  {
    rule: 'an offering that the caller may not see has no eligibility',
    file: 'application/order-entry/eligibility.ts',
    from: 'return concealed ? err(unknown) : ok(instrument);',
    to: 'return ok(instrument);',
    tests: OWN_TESTS,
  },
  {
    rule: 'eligibility refuses what order entry refuses for want of a rate',
    file: 'application/order-entry/checks/order-limits.ts',
    from: "if (made.unrated !== null) return err(noRate(made.unrated, 'investment'));",
    to: '',
    tests: OWN_TESTS,
  },
  {
    rule: 'fees name no offering that the caller may not see',
    file: 'workers/exchange/list-fees-route.ts',
    from: 'unsolicited: seesUnsolicited(facts),',
    to: 'unsolicited: true,',
    tests: OWN_TESTS,
  },
  {
    rule: 'a ledger over profile book has a span of 31 days at most, also by its cursor',
    file: 'workers/book/list-ledger-route.ts',
    from: 'if (to - from > SPAN_DAYS_MAX * DAY_MS || to < from) return',
    to: 'if (false) return',
    tests: ['test/runtime/workers/book/client-reads.test.ts'],
  },
  {
    rule: 'tickers of all pairs leave out offerings that the caller may not see',
    file: 'workers/book/list-tickers-route.ts',
    from: 'unsolicited: seesUnsolicited(optionalPrincipalOf(c)?.facts ?? null),',
    to: 'unsolicited: true,',
    tests: ['test/runtime/workers/book/client-reads.test.ts'],
  },
  {
    rule: 'currencies leave out offerings that the caller may not see',
    file: 'workers/book/list-currencies-route.ts',
    from: 'unsolicited: seesUnsolicited(optionalPrincipalOf(c)?.facts ?? null),',
    to: 'unsolicited: true,',
    tests: ['test/runtime/workers/book/client-reads.test.ts'],
  },
];
