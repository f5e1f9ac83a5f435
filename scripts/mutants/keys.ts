import type { Mutant } from './mutant.ts';

const TESTS = ['test/runtime/application/keys/master-keys.test.ts'];

export const KEY_MUTANTS: readonly Mutant[] = [
  {
    rule: 'keys: an asset that is named in two cases has one limit',
    file: 'application/identity/keys/asset-limits.ts',
    from: 'if (Object.hasOwn(scaled, assetId))',
    to: 'if (Object.hasOwn(scaled, name))',
    tests: ['test/runtime/workers/iam/keys.test.ts'],
  },
  {
    rule: 'master keys: what names its key is opened by that key alone',
    file: 'data/identity/sealed-secret.ts',
    from: 'keys.filter(({ id }) => id === first)',
    to: 'keys.slice(0, 1)',
    tests: TESTS,
  },
  {
    rule: 'master keys: what names no key is tried with each',
    file: 'data/identity/sealed-secret.ts',
    from: 'second === undefined ? keys :',
    to: 'second === undefined ? keys.slice(0, 1) :',
    tests: TESTS,
  },
  {
    rule: 'master keys: a row is sealed anew where it still says what was read',
    file: 'data/keys/sealed-tables.ts',
    from: 'sql.join(same, sql` AND `)',
    to: 'sql`1 = 1`',
    tests: TESTS,
  },
  {
    rule: 'master keys: a list of earlier secrets is sealed anew',
    file: 'data/keys/sealed-tables.ts',
    from: "{ name: 'earlier_secrets', context: secretContext, isList: true },",
    to: '',
    tests: TESTS,
  },
  {
    rule: 'master keys: a row that no key opens keeps back no other',
    file: 'data/keys/sealed-tables.ts',
    from: '      if (next === null) closed.push(after);',
    to: '      if (next === null) return { count, closed: [after] };',
    tests: TESTS,
  },
  {
    rule: 'master keys: a key of a tenant that is destroyed meanwhile stays destroyed',
    file: 'data/keys/wrapped-keys.ts',
    from: 'onlyIf: { etagMatches: object.etag }, customMetadata',
    to: 'customMetadata',
    tests: TESTS,
  },
  {
    rule: 'master keys: nothing is sealed anew where one key is stated',
    file: 'application/keys/reseal-secrets.ts',
    from: 'return (await masterKeysOf(stated)).length > 1;',
    to: 'return (await masterKeysOf(stated)).length > 0;',
    tests: TESTS,
  },
  {
    rule: 'master keys: codes and forms of before are good',
    file: 'application/identity/authorization/derived-mac.ts',
    from: 'return Promise.all(keys.map((key) =>',
    to: 'return Promise.all(keys.slice(0, 1).map((key) =>',
    tests: TESTS,
  },
  {
    rule: 'master keys: a link of before is good',
    file: 'application/events/enhancement/result-link.ts',
    from: 'const fits = keys.map(',
    to: 'const fits = keys.slice(0, 1).map(',
    tests: TESTS,
  },
];
