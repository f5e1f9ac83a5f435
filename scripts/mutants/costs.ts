import type { Mutant } from './mutant.ts';

const WRONG_VALUES_TESTS = ['test/adversary/stranger/wrong-values.test.ts'];
const BODY_TESTS = ['test/runtime/workers/middleware/bodies.test.ts'];
const SURE_PART_TESTS = ['domain/limits/sure-part.test.ts'];
const CANCEL_TESTS = ['test/runtime/adversary/trader/cancels-beside-reads.test.ts'];
const KEY_TESTS = ['test/runtime/adversary/trader/keys-all-day.test.ts'];
const QUOTA_TESTS = ['test/runtime/adversary/camera/room-of-a-tenant.test.ts'];
const SECOND_OPERATOR_TESTS = ['test/runtime/adversary/operator/second-operator.test.ts'];
const APPROVAL_TESTS = ['domain/identity/approval.test.ts'];

/** What a caller can make the venue do or keep, and for how long a word of somebody counts. */
export const COST_MUTANTS: readonly Mutant[] = [
  {
    rule: 'bodies: JSON of every media type is counted before it is parsed',
    file: 'workers/middleware/receive-body.ts',
    from: 'const IS_TEXT = /^(application\\/([\\w.-]+\\+)?json|text\\/)/i;',
    to: 'const IS_TEXT = /^(application\\/json|text\\/)/i;',
    tests: BODY_TESTS,
  },
  {
    rule: 'bodies: values are counted where a route says nothing',
    file: 'workers/middleware/receive-body.ts',
    from: 'route.bodyValuesMax ?? BODY_VALUES_MAX',
    to: 'route.bodyValuesMax ?? Number.POSITIVE_INFINITY',
    tests: BODY_TESTS,
  },
  {
    rule: 'bodies: parts of a form are counted before they are parsed',
    file: 'workers/middleware/receive-body.ts',
    from: 'if (IS_FORM.test(type) && ',
    to: 'if (false && ',
    tests: BODY_TESTS,
  },
  {
    rule: 'bodies: a hyphen may be the second of two',
    file: 'domain/limits/separators.ts',
    from: '      at += 1;\n    } else',
    to: '      at += 2;\n    } else',
    tests: ['domain/limits/separators.test.ts'],
  },
  {
    rule: 'wrong values: a large list ends at the first',
    file: 'protocol/ending-early.ts',
    from: 'abortEarly: true',
    to: 'abortEarly: false',
    tests: WRONG_VALUES_TESTS,
  },
  {
    rule: 'wrong values: a record of very many fields is wrong as a whole',
    file: 'protocol/ending-early.ts',
    from: 'Object.keys(input).length <= fieldsMax',
    to: 'Object.keys(input).length > 0',
    tests: WRONG_VALUES_TESTS,
  },
  {
    rule: 'wrong values: an answer shows some few issues',
    file: 'protocol/errors/issue-details.ts',
    from: 'issues.slice(0, ISSUES_MAX)',
    to: 'issues',
    tests: WRONG_VALUES_TESTS,
  },
  {
    rule: 'wrong values: an answer shows some few fields that are not known',
    file: 'protocol/errors/issue-details.ts',
    from: 'keys: keys.slice(0, KEYS_MAX)',
    to: 'keys',
    tests: WRONG_VALUES_TESTS,
  },
  {
    rule: 'wrong values: an answer shows some few issues of each form of a value',
    file: 'protocol/errors/issue-details.ts',
    from: 'told.slice(0, ISSUES_MAX).map(shown)',
    to: 'told.map(shown)',
    tests: WRONG_VALUES_TESTS,
  },
  {
    rule: 'wrong values: a vector has no more text than one may have',
    file: 'workers/events/faces/search-schema.ts',
    from: '  .max(EMBEDDING_LENGTH_MAX)\n',
    to: '',
    tests: WRONG_VALUES_TESTS,
  },
  {
    rule: 'cancels: each credential is sure of some',
    file: 'domain/limits/sure-part.ts',
    from: 'if (left >= cost) return [own, account];',
    to: 'return [own, account];',
    tests: [...SURE_PART_TESTS, ...CANCEL_TESTS],
  },
  {
    rule: 'cancels: what is sure is no more than what a key may',
    file: 'domain/limits/sure-part.ts',
    from: 'Math.min(own.limit.limit, SURE_CANCELS)',
    to: 'SURE_CANCELS',
    tests: SURE_PART_TESTS,
  },
  {
    rule: 'cancels: what is sure counts for the account as well',
    file: 'domain/limits/sure-part.ts',
    from: 'return [sure, { window: account.window, limit: { ...account.limit, limit: Number.POSITIVE_INFINITY } }];',
    to: 'return [sure, sure];',
    tests: SURE_PART_TESTS,
  },
  {
    rule: 'cancels: whoever is signed in has a part of their own',
    file: 'durable-objects/gate/gate.ts',
    from: "draw.bucket === 'cancels' ? windowsOf(draw, own, account) : [account]",
    to: '[account]',
    tests: CANCEL_TESTS,
  },
  {
    rule: 'attestations: one that is given again within a day is no other record',
    file: 'data/accounts/accreditation-records.ts',
    from: `AND NOT \${isGiven} ON CONFLICT`,
    to: 'ON CONFLICT',
    tests: ['test/runtime/workers/exchange/operator/accreditation.test.ts'],
  },
  {
    rule: 'keys: an account has no more than it may, made at once',
    file: 'data/identity/api-keys.ts',
    from: 'WHERE active <= CAST',
    to: 'WHERE active - 9 <= CAST',
    tests: KEY_TESTS,
  },
  {
    rule: 'keys: an account makes no more a day than it may',
    file: 'data/identity/api-keys.ts',
    from: 'AND today <= CAST',
    to: 'AND today - 9 <= CAST',
    tests: KEY_TESTS,
  },
  {
    rule: 'keys: a list shows those that are active',
    file: 'data/identity/api-keys.ts',
    from: "or(eq(apiKeys.status, 'active'), inArray(apiKeys.id, latest))",
    to: 'inArray(apiKeys.id, latest)',
    tests: KEY_TESTS,
  },
  {
    rule: 'quotas: searches of a tenant are counted',
    file: 'application/events/faces/search-collection.ts',
    from: '{ searches: 1 }',
    to: '{}',
    tests: QUOTA_TESTS,
  },
  {
    rule: 'quotas: looks for weapons of a tenant are counted',
    file: 'application/events/weapons/detect-weapons.ts',
    from: '{ weapon_images: 1 }',
    to: '{}',
    tests: QUOTA_TESTS,
  },
  {
    rule: 'approval: what was approved may be rejected until it is used',
    file: 'domain/identity/approval.ts',
    from: "asked.state === 'asked' || isRevoked",
    to: "asked.state === 'asked'",
    tests: APPROVAL_TESTS,
  },
  {
    rule: 'approval: what was used is rejected no more',
    file: 'domain/identity/approval.ts',
    from: ' && asked.usedBy === null',
    to: '',
    tests: APPROVAL_TESTS,
  },
  {
    rule: 'approval: whom a call is about is known by an id in any case',
    file: 'domain/identity/approval.ts',
    from: '...names.map(ownId)',
    to: '',
    tests: APPROVAL_TESTS,
  },
  {
    rule: 'approval: ends with the powers of whoever gave it',
    file: 'data/identity/approvals.ts',
    from: "WHERE value = 'operator')",
    to: 'WHERE true)',
    tests: SECOND_OPERATOR_TESTS,
  },
];
