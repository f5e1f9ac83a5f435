import type { Mutant } from './mutant.ts';

const LIST_TESTS = ['test/runtime/workers/exchange/operator/lists.test.ts'];

/** What operators read of people, requests, refusals and approvals, and what their pages offer. */
export const OPERATOR_LIST_MUTANTS: readonly Mutant[] = [
  {
    rule: 'operators: a person of another organization is not found',
    file: 'workers/exchange/operator/get-user-route.ts',
    from: '|| (owner !== null && user.owner !== owner)',
    to: '',
    tests: LIST_TESTS,
  },
  {
    rule: 'operators: keys and sessions of others are told to those who may end them',
    file: 'workers/exchange/operator/get-user-route.ts',
    from: "hasPowerOver(principalOf(c), 'manage_credentials', user.owner)",
    to: 'true',
    tests: LIST_TESTS,
  },
  {
    rule: 'operators: a request to pay of another organization is not found',
    file: 'workers/exchange/operator/read-transfer-request-routes.ts',
    from: 'found !== null && (owner === null || found.owner === owner)',
    to: 'found !== null',
    tests: LIST_TESTS,
  },
  {
    rule: 'operators: refused orders of another organization are not listed',
    file: 'data/compliance/refusal-lists.ts',
    from: `...(owner === null ? [] : [sql\`owner = \${owner}\`]),`,
    to: '',
    tests: LIST_TESTS,
  },
  {
    rule: 'operators: refused orders of another organization are not counted',
    file: 'data/compliance/refusal-lists.ts',
    from: `owner === null ? sql\`true\` : sql\`owner = \${owner}\``,
    to: 'sql`true`',
    tests: LIST_TESTS,
  },
  {
    rule: 'operators: an organization sees itself alone among organizations',
    file: 'data/accounts/organizations.ts',
    from: `only === null ? sql\`true\` : sql\`o.id = \${only}\``,
    to: 'sql`true`',
    tests: LIST_TESTS,
  },
  {
    rule: 'console: an approved call is made under its approval',
    file: 'workers/console/call-in-process.ts',
    from: "  'x-operator-approval',\n",
    to: '',
    tests: LIST_TESTS,
  },
  {
    rule: 'console: nobody is offered to approve what they have asked for',
    file: 'web/src/operator/approvals/approval-words.ts',
    from: "if (own) return state === 'approved' ? ['make'] : [];",
    to: '',
    tests: ['web/src/operator/approvals/approval-words.test.ts'],
  },
  {
    rule: 'console: a request that is paid out leaves what is held for it',
    file: 'web/src/operator/approvals/asked-call.ts',
    from: 'return isRequest ?',
    to: 'return !isRequest ?',
    tests: ['web/src/operator/approvals/asked-call.test.ts'],
  },
];
