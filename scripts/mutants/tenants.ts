import type { Mutant } from './mutant.ts';

const CLAIM_TESTS = ['test/runtime/workers/iam/access-tokens.test.ts'];
const DOWNSTREAM_TESTS = ['test/runtime/workers/events/inference.test.ts'];
const WALK_TESTS = ['test/runtime/workers/events/tenants.test.ts'];

/** Rules that keep tenants of the events service apart, and a chart to its range. */
export const TENANT_MUTANTS: readonly Mutant[] = [
  {
    rule: 'tenants: the claim of a token names its tenant',
    file: 'durable-objects/credentials/access-token.ts',
    from: 'tenant: tenantName,',
    to: 'tenant: owner,',
    tests: DOWNSTREAM_TESTS,
  },
  {
    rule: 'tenants: a claim that is no name refuses its token',
    file: 'durable-objects/credentials/access-token.ts',
    from: 'claim.isWellFormed() ? claim : null;',
    to: 'claim.isWellFormed() ? claim : owner;',
    tests: CLAIM_TESTS,
  },
  {
    rule: 'tenants: an organization has more than one',
    file: 'workers/events/tenancy.ts',
    from: "tenantName(owner, c.get('accessToken')?.tenant ?? owner)",
    to: 'tenantName(owner, owner)',
    tests: WALK_TESTS,
  },
  {
    rule: 'tenants: an Idempotency-Key is of one tenant',
    file: 'workers/events/app.ts',
    from: 'keysOf: keysOfTenant,',
    to: 'keysOf: (c) => (keysOfTenant(c) === "" ? "" : null),',
    tests: WALK_TESTS,
  },
  {
    rule: 'charts: half a year is no quarter',
    file: 'domain/charts/chart-window.ts',
    from: "'6m': { days: 182,",
    to: "'6m': { days: 91,",
    tests: ['test/runtime/workers/exchange/chart-ranges.test.ts'],
  },
];
