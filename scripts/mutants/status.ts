import type { Mutant } from './mutant.ts';

const STATUS_TESTS = ['test/runtime/workers/console/status.test.ts'];
const RULE_TESTS = ['domain/status/public-status.test.ts'];

/** What the public is told of the venue, and who tells it. */
export const STATUS_MUTANTS: readonly Mutant[] = [
  {
    rule: 'status: the stores are read once for everybody who asks within ten seconds',
    file: 'application/status/read-public-status.ts',
    from: 'now - shared.at < SHARED_MS',
    to: 'now - shared.at < 0',
    tests: STATUS_TESTS,
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
    from: `WHERE id = \${id} AND resolved_at IS NULL)`,
    to: `WHERE id = \${id})`,
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
