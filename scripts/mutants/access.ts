import type { Mutant } from './mutant.ts';

const POWER_TESTS = ['domain/identity/powers.test.ts'];
const SIGNATURE_TESTS = ['test/runtime/workers/middleware/api-key-credentials.test.ts'];
const CODE_TESTS = ['test/runtime/workers/iam/one-time-codes.test.ts'];
const USER_TESTS = ['test/runtime/workers/exchange/operator/users.test.ts'];
const FAMILY_TESTS = ['test/runtime/workers/exchange/operator/family.test.ts'];
const BODY_TESTS = ['test/runtime/workers/middleware/bodies.test.ts'];

/** Who may do what, and what proves who asks. */
export const ACCESS_MUTANTS: readonly Mutant[] = [
  {
    rule: 'access: refused uses of a power are one entry an hour',
    file: 'application/identity/refused-power.ts',
    from: 'const hour = now - (now % HOUR_MS);',
    to: 'const hour = now;',
    tests: ['test/runtime/workers/iam/powers.test.ts'],
  },
  {
    rule: 'access: what an operator may do elsewhere is less than at the venue',
    file: 'domain/identity/powers.ts',
    from: "elsewhere: ['see_accounts'] },\n  access_manager",
    to: 'elsewhere: POWERS },\n  access_manager',
    tests: POWER_TESTS,
  },
  {
    rule: 'access: a power reaches the holder’s organization alone',
    file: 'domain/identity/powers.ts',
    from: '&& (holder.owner === organization || holder.owner === VENUE_OWNER)',
    to: '',
    tests: POWER_TESTS,
  },
  {
    rule: 'access: an operator of the venue is always left',
    file: 'data/accounts/users.ts',
    from: 'sql`true` : anotherVenueOperator(user.id)',
    to: 'sql`true` : sql`true`',
    tests: USER_TESTS,
  },
  {
    rule: 'access: a deactivated operator changes nobody',
    file: 'data/accounts/users.ts',
    from: 'AND deactivated_at IS NOT NULL',
    to: 'AND false',
    tests: USER_TESTS,
  },
  {
    rule: 'access: an organization does not learn who the other side of a trade is',
    file: 'data/audit/trail/audit-trail.ts',
    from: 'owner === null ? actions : withoutOthers(db, owner, actions)',
    to: 'withoutOthers.length === 0 ? [] : actions',
    tests: ['test/runtime/workers/exchange/operator/trades.test.ts'],
  },
  {
    rule: 'access: an organization does not learn from the audit trail who a relative elsewhere is',
    file: 'data/audit/trail/audit-trail.ts',
    from: 'owner === null ? sql`e.subject` : subjectFor(owner)',
    to: 'subjectFor.length === 0 ? sql`e.id` : sql`e.subject`',
    tests: FAMILY_TESTS,
  },
  {
    rule: 'access: an organization does not learn from a relation who a relative elsewhere is',
    file: 'workers/exchange/operator/family-schema.ts',
    from: 'reader === null || owner === reader',
    to: 'reader === null || owner !== null',
    tests: FAMILY_TESTS,
  },
  {
    rule: 'access: a route needs its power',
    file: 'application/identity/authorize.ts',
    from: 'power !== undefined && !holdsPower(principal, power)',
    to: 'false',
    tests: ['test/runtime/workers/iam/powers.test.ts'],
  },
  {
    rule: 'access: a use of a power is written down',
    file: 'application/identity/recorded-use.ts',
    from: "  await record('begun');\n",
    to: '',
    tests: ['test/runtime/workers/iam/powers.test.ts'],
  },
  {
    rule: 'access: a signature covers the body',
    file: 'workers/middleware/enforce-access.ts',
    from: 'body.byteLength === 0 ? EMPTY_BODY_HASH : await sha256Hex(body)',
    to: 'EMPTY_BODY_HASH',
    tests: SIGNATURE_TESTS,
  },
  {
    rule: 'access: a signed body is read only where keys are taken',
    file: 'workers/middleware/enforce-access.ts',
    from: '(takesKeys(access) && isSigned(headers))',
    to: 'isSigned(headers)',
    tests: BODY_TESTS,
  },
  {
    rule: 'access: a signature tells path and body apart',
    file: 'domain/identity/signed-text.ts',
    from: 'path}\\n',
    to: 'path}',
    tests: ['test/node/signing-examples.test.ts'],
  },
  {
    rule: 'access: a route that declares no body takes none',
    file: 'workers/middleware/receive-body.ts',
    from: '  if (!route.takesBody && length !== null) return NO_BODY;\n',
    to: '  if (!route.takesBody) return null;\n',
    tests: BODY_TESTS,
  },
  {
    rule: 'access: no header states the address where nobody stands in front',
    file: 'workers/middleware/client-address.ts',
    from: "header === '' ? LOOPBACK : (c.req.header(header) ?? '0.0.0.0')",
    to: "c.req.header(header === '' ? 'cf-connecting-ip' : header) ?? '0.0.0.0'",
    tests: ['test/runtime/workers/middleware/gateway-address.test.ts'],
  },
  {
    rule: 'access: a key draws on its account',
    file: 'durable-objects/gate/gate.ts',
    from: 'limit > byDefault ? [own] : [own, account]',
    to: '[own]',
    tests: ['test/runtime/workers/middleware/rate-limits.test.ts'],
  },
  {
    rule: 'access: what is refused by one window is drawn on none',
    file: 'domain/limits/rate-windows.ts',
    from: 'if (refusals.length > 0)',
    to: 'if (refusals.length === windows.length)',
    tests: ['domain/limits/rate-windows.test.ts'],
  },
  {
    rule: 'access: strangers share the tries of a day',
    file: 'application/identity/one-time-code/redeem-one-time-code.ts',
    from: "pool !== 'known' && ",
    to: 'false && ',
    tests: CODE_TESTS,
  },
  {
    rule: 'access: tries of known addresses are their own',
    file: 'application/identity/one-time-code/redeem-one-time-code.ts',
    from: "pool !== 'known' && !(await takeTryOfDay(db, phone, pool, now))",
    to: "!(await takeTryOfDay(db, phone, pool === 'known' ? 'strangers' : pool, now))",
    tests: CODE_TESTS,
  },
  {
    rule: 'access: an address has five tries',
    file: 'application/identity/one-time-code/redeem-one-time-code.ts',
    from: '  if (acquaintance === null) return false;\n',
    to: '  if (acquaintance === null) return true;\n',
    tests: CODE_TESTS,
  },
  {
    rule: 'access: a code that lives long enough is sent again',
    file: 'domain/identity/one-time-code.ts',
    from: 'return expiresAt - now >= SAME_CODE_MS;',
    to: 'return false;',
    tests: ['domain/identity/one-time-code.test.ts', ...CODE_TESTS],
  },
  {
    rule: 'access: an offering under 506(b) takes no order of those who may not see it',
    file: 'application/order-entry/checks/is-concealed.ts',
    from: "if (side === 'buy') return 'symbol' in instrument;",
    to: "if (side === 'buy') return false;",
    tests: ['test/runtime/workers/book/market-data.test.ts'],
  },
  {
    rule: 'access: a search finds no offering that its reader may not see',
    file: 'data/catalog/listed-assets.ts',
    from: 'if (!filter.unsolicited) conditions',
    to: 'if (!filter.unsolicited && filter.search === null) conditions',
    tests: ['test/runtime/workers/exchange/asset-search.test.ts'],
  },
  {
    rule: 'access: a key names no market of an offering that its account may not see',
    file: 'application/identity/keys/check-symbols.ts',
    from: 'return asset === undefined || !(maySee(asset, facts) || holds(asset.id));',
    to: 'return asset === undefined;',
    tests: ['test/runtime/workers/iam/keys.test.ts'],
  },
  {
    rule: 'access: a refresh token is in date for 30 days',
    file: 'application/identity/tokens/issue-tokens.ts',
    from: 'const REFRESH_TOKEN_LIFETIME_MS = 30 * DAY_MS;',
    to: 'const REFRESH_TOKEN_LIFETIME_MS = 300 * DAY_MS;',
    tests: ['test/runtime/workers/iam/token-endpoint.test.ts'],
  },
  {
    rule: 'access: a tenant token ends, seen before or not',
    file: 'application/identity/tenant-token.ts',
    from: 'if (binding === null || binding.expiresAt <= Date.now() / 1_000) return false;',
    to: 'if (binding === null) return false;',
    tests: ['test/runtime/workers/middleware/tenant-token.test.ts'],
  },
];
