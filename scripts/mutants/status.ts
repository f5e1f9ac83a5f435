import type { Mutant } from './mutant.ts';

const STATUS_TESTS = ['test/runtime/workers/console/status.test.ts'];
const READING_TESTS = ['application/status/shared-reading.test.ts'];
const RULE_TESTS = ['domain/status/public-status.test.ts'];

/** What the public is told of the venue, and who tells it. */
export const STATUS_MUTANTS: readonly Mutant[] = [
  {
    rule: 'status: the stores are read once for everybody who asks within ten seconds',
    file: 'application/status/shared-reading.ts',
    from: 'isReading ? oldMsMax : freshMs',
    to: 'isReading ? oldMsMax : 0',
    tests: READING_TESTS,
  },
  {
    rule: 'status: while one reads the stores, the others read nothing',
    file: 'application/status/shared-reading.ts',
    from: 'isReading ? oldMsMax : freshMs',
    to: 'freshMs',
    tests: READING_TESTS,
  },
  {
    rule: 'status: what was read before an operator told something is told no more',
    file: 'application/status/shared-reading.ts',
    from: 'generation === this.#generation && ',
    to: '',
    tests: READING_TESTS,
  },
  {
    rule: 'status: a part that nobody measures is not said to work',
    file: 'domain/status/public-status.ts',
    from: "['not_available'] : ['not_measured'];",
    to: "['not_available'] : [];",
    tests: RULE_TESTS,
  },
  {
    rule: 'status: no more incidents are open than are shown',
    file: 'data/status/incidents.ts',
    from: `LIMIT 1 OFFSET \${OPEN_INCIDENTS_MAX - 1}`,
    to: 'LIMIT 1 OFFSET 1000',
    tests: STATUS_TESTS,
  },
  {
    rule: 'status: an incident that is over stays so',
    file: 'data/status/incidents.ts',
    from: 'resolved_at IS NULL AND updated_at',
    to: 'updated_at',
    tests: STATUS_TESTS,
  },
  {
    rule: 'status: what another operator has told meanwhile is not undone',
    file: 'data/status/incidents.ts',
    from: `updated_at = \${before.updatedAt} AND parts = \${JSON.stringify(before.parts)}`,
    to: 'updated_at > 0',
    tests: STATUS_TESTS,
  },
  {
    rule: 'status: a ledger that is away is told',
    file: 'domain/status/public-status.ts',
    from: "if (ledger === null || ledger.isHalted) return ['not_available'];",
    to: 'if (ledger === null) return [];',
    tests: RULE_TESTS,
  },
];
