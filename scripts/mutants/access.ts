import type { Mutant } from './mutant.ts';

const POWER_TESTS = ['domain/identity/powers.test.ts'];
const SIGNATURE_TESTS = ['test/runtime/workers/middleware/api-key-credentials.test.ts'];
const BODY_TESTS = ['test/runtime/workers/middleware/bodies.test.ts'];

/** Who may do what, and what proves who asks. */
export const ACCESS_MUTANTS: readonly Mutant[] = [
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
];
