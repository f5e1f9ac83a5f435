import type { Mutant } from './mutant.ts';

const NOBODY_TESTS = ['test/runtime/adversary/stranger/numbers-of-nobody.test.ts'];
const ROWS_TESTS = ['test/runtime/adversary/transfer-agent/rows-of-a-register.test.ts'];

/** Rules of what D1 and the objects keep: how much, and who fills it. */
export const STORE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a list that goes to D1 is cut by its bytes',
    file: 'data/list-parts.ts',
    from: ' || bytes + itemBytes > LIST_BYTES_MAX',
    to: '',
    tests: ['data/list-parts.test.ts'],
  },
  {
    rule: 'a text that D1 would refuse is refused in every runtime',
    file: 'data/sql-batch.ts',
    from: '&& !fitsD1(value)',
    to: '&& false && !fitsD1(value)',
    tests: ['test/runtime/adversary/transfer-agent/bytes-of-an-import.test.ts'],
  },
  {
    rule: 'an event of a register is begun where its rows fit',
    file: 'data/partner/register/register-events.ts',
    from: 'isBegun} OR ',
    to: 'isBegun} OR TRUE OR ',
    tests: ROWS_TESTS,
  },
  {
    rule: 'an event that is staged again counts no row twice',
    file: 'data/partner/register/register-events.ts',
    from: ' AND created_at = CAST(',
    to: ' OR 0 < CAST(',
    tests: ROWS_TESTS,
  },
  {
    rule: 'an event that comes to nothing takes the holders with it that it brought',
    file: 'data/partner/register/register-events.ts',
    from: 'DELETE FROM register_holders WHERE ',
    to: 'DELETE FROM register_holders WHERE FALSE AND ',
    tests: ROWS_TESTS,
  },
  {
    rule: 'an action is announced where a row for each holder fits',
    file: 'data/partner/actions/corporate-actions.ts',
    from: 'rows === null ? sql`TRUE` : hasRoom(rows)',
    to: 'sql`TRUE`',
    tests: ROWS_TESTS,
  },
  {
    rule: 'registers take no rows where the database is nearly full',
    file: 'data/jobs/database-size.ts',
    from: 'WHERE bytes >=',
    to: 'WHERE FALSE AND bytes >=',
    tests: ROWS_TESTS,
  },
  {
    rule: 'a dividend that pays nobody writes no row for each holder',
    file: 'data/partner/actions/entitlements.ts',
    from: '...(paysNobody ? []',
    to: '...(paysNobody && false ? []',
    tests: ROWS_TESTS,
  },
  {
    rule: 'numbers that are nobody’s share so many places',
    file: 'application/identity/one-time-code/code-rows.ts',
    from: 'user === null',
    to: 'user === null && false',
    tests: NOBODY_TESTS,
  },
  {
    rule: 'a place is freed of the number before',
    file: 'data/identity/one-time-codes.ts',
    from: 'ne(oneTimeCodes.subject, phoneSubject)',
    to: 'sql`false`',
    tests: NOBODY_TESTS,
  },
  {
    rule: 'values of an import are counted before they are parsed',
    file: 'workers/middleware/receive-body.ts',
    from: 'if (separatorsIn(new',
    to: 'if (false && separatorsIn(new',
    tests: ['test/runtime/adversary/transfer-agent/size-of-an-import.test.ts'],
  },
  {
    rule: 'objects and lists count among the values of a body',
    file: 'domain/limits/separators.ts',
    from: "',\\n[{'",
    to: "',\\n'",
    tests: ['domain/limits/separators.test.ts'],
  },
  {
    rule: 'a search of users sees the own organization alone',
    file: 'workers/exchange/operator/list-users-route.ts',
    from: 'readableOwner(c) ?? owner ?? null',
    to: 'owner ?? readableOwner(c)',
    tests: ['test/runtime/workers/exchange/operator/users.test.ts'],
  },
  {
    rule: 'scripts of the reference page run by a nonce of their answer alone',
    file: 'workers/middleware/reference-pages.ts',
    from: 'const nonce = crypto.randomUUID();',
    to: "const nonce = '00000000-0000-0000-0000-000000000000';",
    tests: ['test/runtime/workers/middleware/request-conventions.test.ts'],
  },
];
