import type { Mutant } from './mutant.ts';

const OVERVIEW_TESTS = ['test/runtime/workers/exchange/operator/overview.test.ts'];
const STANDSTILL_TESTS = ['domain/markets/standstill.test.ts'];
const ACT_TESTS = ['web/src/operator/act-state.test.ts'];
const ANSWER_TESTS = ['application/operator/overview/book-answers.test.ts'];
const TROUBLE_TESTS = ['web/src/operator/troubles.test.ts'];

/** What operators are told of what runs and what does not. */
export const OVERVIEW_MUTANTS: readonly Mutant[] = [
  {
    rule: 'overview: it is for people of the venue alone',
    file: 'workers/exchange/operator/get-overview-route.ts',
    from: '    VENUE_READ,',
    to: "    { access: { credential: 'tenant', power: 'see_accounts' }, bucket: 'private' },",
    tests: OVERVIEW_TESTS,
  },
  {
    rule: 'overview: the reason of a halt is that of the step that halted, not of a later change',
    file: 'data/overview/halts.ts',
    from: 'AND NOT $' + '{WAS_HALTED} ORDER',
    to: 'ORDER',
    tests: OVERVIEW_TESTS,
  },
  {
    rule: 'overview: a part that cannot be read keeps no other from being told',
    file: 'application/operator/overview/read-overview.ts',
    from: 'return withinTime(PART_WAIT_MS, told);',
    to: 'return read;',
    tests: OVERVIEW_TESTS,
  },
  {
    rule: 'overview: a book that does not answer stands still',
    file: 'domain/markets/standstill.ts',
    from: "book_away: book === 'away'",
    to: 'book_away: false',
    tests: STANDSTILL_TESTS,
  },
  {
    rule: 'overview: what stops trading is told before the rest',
    file: 'web/src/operator/troubles.ts',
    from: "all.filter(({ tone }) => tone === 'bad'), ...all.filter(({ tone }) => tone === 'warn')",
    to: 'all.filter(() => true)',
    tests: TROUBLE_TESTS,
  },
  {
    rule: 'operator acts: the halt of all trading that is open does not turn into its opposite',
    file: 'web/src/operator/act-state.ts',
    from: "trading.venueHalted === (verb === 'resume')",
    to: 'true',
    tests: ACT_TESTS,
  },
  {
    rule: 'operator acts: what may be done is not called undone',
    file: 'web/src/operator/act-state.ts',
    from: 'error.isOutcomeUnknown || (mayBeDone && error.isTurnedAway)',
    to: 'false',
    tests: ACT_TESTS,
  },
  {
    rule: 'operator acts: a halted market whose book shows open orders is halted again',
    file: 'web/src/operator/act-state.ts',
    from: "Number(book?.liveOrders ?? 0) > 0 ? 'again' : null",
    to: "false ? 'again' : null",
    tests: ACT_TESTS,
  },
  {
    rule: 'ledger page: rules that the code does not know are mended by the newer code, never by an older',
    file: 'web/src/operator/ledger-halt.ts',
    from: '/(version|limit) .* is not known|piece .* that is not known/',
    to: '/^(version|limit) .* is not known/',
    tests: ['web/src/operator/ledger-halt.test.ts'],
  },
  {
    rule: 'overview: a book that answers and could not start takes no orders',
    file: 'domain/markets/standstill.ts',
    from: "book.halted === null && book.owner === ''",
    to: 'false',
    tests: STANDSTILL_TESTS,
  },
  {
    rule: 'overview: no market takes orders while the ledger stands still',
    file: 'domain/markets/standstill.ts',
    from: "ledger_halted: ledger === 'halted'",
    to: 'ledger_halted: false',
    tests: STANDSTILL_TESTS,
  },
  {
    rule: 'overview: a market that is halted meanwhile is asked at once, not told as it was',
    file: 'application/operator/overview/book-answers.ts',
    from: 'answer.status.market !== market || ',
    to: '',
    tests: ANSWER_TESTS,
  },
  {
    rule: 'overview: a book that stands still is no idle one',
    file: 'application/operator/overview/book-answers.ts',
    from: "owner !== '' && halted === null && haltedUntil === null && ",
    to: '',
    tests: ANSWER_TESTS,
  },
  {
    rule: 'overview: while the ledger stands still, books that wait for it are one trouble',
    file: 'web/src/operator/troubles.ts',
    from: '!(isWithout && OF_NO_LEDGER.includes(cause))',
    to: 'true',
    tests: TROUBLE_TESTS,
  },
  {
    rule: 'overview: an object of blocks that does not answer is trouble',
    file: 'web/src/operator/troubles.ts',
    from: 'of chain?.unanswered ?? []',
    to: 'of [] as string[]',
    tests: TROUBLE_TESTS,
  },
  {
    rule: 'market page: a book of a newer version is not asked to try again',
    file: 'web/src/operator/book-halt.ts',
    from: "key: 'run.book_version', mayTry: false",
    to: "key: 'run.book_version', mayTry: true",
    tests: ['web/src/operator/book-halt.test.ts'],
  },
  {
    rule: 'overview: a delisting is no end of a halt',
    file: 'data/overview/halts.ts',
    from: 'OR ($' + '{GOES_ON} AND',
    to: 'OR (NOT $' + '{HALTED} AND',
    tests: OVERVIEW_TESTS,
  },
  {
    rule: 'overview: an endpoint that its owner has switched off is no trouble',
    file: 'data/overview/waiting-work.ts',
    from: " AND disabled_reason <> 'owner'",
    to: '',
    tests: OVERVIEW_TESTS,
  },
];
