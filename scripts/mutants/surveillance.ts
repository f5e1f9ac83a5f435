import type { Mutant } from './mutant.ts';

const WASH_TESTS = ['domain/surveillance/wash-trades.test.ts'];
const CLOSE_TESTS = ['domain/surveillance/marking-the-close.test.ts'];
const LAYERING_TESTS = ['domain/surveillance/layering.test.ts'];
const CASE_TESTS = ['test/runtime/workers/exchange/operator/surveillance.test.ts'];

/** Market surveillance: what makes a case, that a night makes each once, and who sees them. */
export const SURVEILLANCE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'surveillance: trades between two accounts of one person are wash trades',
    file: 'domain/surveillance/wash-trades.ts',
    from: 'buyer === seller ? SAME_PERSON : familyOf',
    to: 'false ? SAME_PERSON : familyOf',
    tests: WASH_TESTS,
  },
  {
    rule: 'surveillance: a large share of the day is a case, however few trades',
    file: 'domain/surveillance/wash-trades.ts',
    from: 'own.length < tradesMin && share < shareBpsMin',
    to: 'own.length < tradesMin',
    tests: WASH_TESTS,
  },
  {
    rule: 'surveillance: who marks a close has traded in the direction in which the price went',
    file: 'domain/surveillance/marking-the-close.ts',
    from: 'const moved = rises ? part.net : -part.net;',
    to: 'const moved = part.net < 0n ? -part.net : part.net;',
    tests: CLOSE_TESTS,
  },
  {
    rule: 'surveillance: layers stand on the other side of the execution',
    file: 'domain/surveillance/layering.ts',
    from: "order.side === 'buy' ? person.sell : person.buy",
    to: "order.side === 'buy' ? person.buy : person.sell",
    tests: LAYERING_TESTS,
  },
  {
    rule: 'surveillance: orders that were placed before the execution are read',
    file: 'domain/surveillance/layering.ts',
    from: '[firstAt - PLACED_WITHIN_MS, lastAt + 1]',
    to: '[firstAt, lastAt + 1]',
    tests: LAYERING_TESTS,
  },
  {
    rule: 'surveillance: who has placed many orders hides nobody else’s',
    file: 'application/surveillance/judge-market.ts',
    from: '[...left.slice(part.length), ...read.left]',
    to: '[...read.left, ...left.slice(part.length)]',
    tests: CASE_TESTS,
  },
  {
    rule: 'surveillance: layers are cancelled right after the execution',
    file: 'domain/surveillance/layering.ts',
    from: 'order.cancelledAt - lastAt <= CANCELLED_WITHIN_MS',
    to: 'order.cancelledAt - lastAt <= Number.POSITIVE_INFINITY',
    tests: LAYERING_TESTS,
  },
  {
    rule: 'surveillance: a run that was overtaken counts no market twice',
    file: 'data/surveillance/surveillance-days.ts',
    from: 'THEN markets + 1 ELSE -1 END',
    to: 'THEN markets + 1 ELSE markets END',
    tests: CASE_TESTS,
  },
  {
    rule: 'surveillance: what was read while the read model was emptied is no judgement',
    file: 'data/surveillance/surveillance-days.ts',
    from: 'AND EXISTS (SELECT 1 FROM order_archive WHERE generation = CAST(',
    to: 'AND EXISTS (SELECT 1 FROM order_archive WHERE generation >= CAST(',
    tests: CASE_TESTS,
  },
  {
    rule: 'surveillance: a market that always fails stops no other one',
    file: 'application/surveillance/watch-trading.ts',
    from: 'if (day.tries >= (isKnown ? TRIES_AGAIN_MAX : TRIES_MAX)) {',
    to: 'if (day.tries < 0) {',
    tests: CASE_TESTS,
  },
  {
    rule: 'surveillance: noise in early markets hides the strongest findings of no later one',
    file: 'domain/surveillance/surveillance-case.ts',
    from: 'Math.max(CASES_PER_MARKET_MIN,',
    to: 'Math.max(0,',
    tests: ['domain/surveillance/surveillance-case.test.ts'],
  },
  {
    rule: 'surveillance: a day is watched when it is over',
    file: 'application/surveillance/watch-trading.ts',
    from: 'day + DAY_MS + AFTER_MS <= now',
    to: 'day + DAY_MS <= now',
    tests: CASE_TESTS,
  },
  {
    rule: 'surveillance: nobody sees a case about themselves',
    file: 'data/surveillance/about.ts',
    from: 'return sql`NOT ',
    to: 'return sql`true OR NOT ',
    tests: CASE_TESTS,
  },
  {
    rule: 'surveillance: nobody reads in the trail what was done with a case about themselves',
    file: 'data/audit/trail/audit-trail.ts',
    from: "sql`NOT (e.type GLOB 'operator.surveillance_case_*'",
    to: "sql`NOT (e.type GLOB 'nothing'",
    tests: CASE_TESTS,
  },
  {
    rule: 'surveillance: nobody learns from the count of a day of a case about themselves',
    file: 'data/surveillance/surveillance-days.ts',
    from: ' - $' + '{about}`',
    to: ' - 0 * $' + '{about}`',
    tests: CASE_TESTS,
  },
  {
    rule: 'surveillance: nobody learns from what waits of a case about themselves',
    file: 'data/overview/waiting-work.ts',
    from: "state = 'open' AND $" + '{notAbout(viewers)}',
    to: "state = 'open' OR $" + '{notAbout(viewers)}',
    tests: CASE_TESTS,
  },
  {
    rule: 'surveillance: nobody decides over what another operator has decided meanwhile',
    file: 'data/surveillance/surveillance-cases.ts',
    from: 'AND version = CAST(',
    to: 'AND version <> -CAST(',
    tests: CASE_TESTS,
  },
  {
    rule: 'surveillance: a case is looked into by who runs the venue',
    file: 'application/surveillance/act-on-case.ts',
    from: "holdsPower(user, 'run_venue') &&",
    to: '',
    tests: CASE_TESTS,
  },
];
