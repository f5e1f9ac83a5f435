import type { Mutant } from './mutant.ts';

const STRANGER_TESTS = ['test/adversary/stranger/credentials.test.ts'];
const STRANGER_RUNTIME_TESTS = ['test/runtime/adversary/stranger/credentials.test.ts'];
const KEY_TESTS = ['test/adversary/market-maker/limit-of-a-key.test.ts'];

/** Who is counted before what work, and who acts under whose name. */
export const NAME_MUTANTS: readonly Mutant[] = [
  {
    rule: 'credentials: what has not held here is counted by its address first',
    file: 'durable-objects/credentials/count-first.ts',
    from: 'const counted = proven.has(knownBy)',
    to: 'const counted = knownBy.length > 0',
    tests: STRANGER_TESTS,
  },
  {
    rule: 'credentials: an address that is beyond its limit is asked about no more until then',
    file: 'durable-objects/credentials/count-first.ts',
    from: 'if (known !== undefined && now < known.until)',
    to: 'if (known !== undefined && now > known.until + 1e9)',
    tests: STRANGER_TESTS,
  },
  {
    rule: 'credentials: what was drawn for one that holds is given back',
    file: 'durable-objects/credentials/count-first.ts',
    from: "if (counted.type === 'counted')\n    await later(",
    to: "if (counted.type === 'limited')\n    await later(",
    tests: STRANGER_RUNTIME_TESTS,
  },
  {
    rule: 'credentials: callers that come at once wait for the first of them',
    file: 'durable-objects/credentials/count-first.ts',
    from: "if (answer?.type !== 'limited' || !answer.mayFitSoon) return answer;",
    to: "if (answer?.type !== 'none') return answer;",
    tests: STRANGER_RUNTIME_TESTS,
  },
  {
    rule: 'credentials: a key id that cannot be one is looked up by nobody',
    file: 'domain/identity/key-id.ts',
    from: 'return KEY_ID.test(text);',
    to: 'return text.length > 0;',
    tests: STRANGER_TESTS,
  },
  {
    rule: 'credentials: a known one asks no Gate of an address',
    file: 'durable-objects/credentials/count-first.ts',
    from: "if (outcome === 'holds') remember(",
    to: "if (outcome === 'open') remember(",
    tests: STRANGER_RUNTIME_TESTS,
  },
  {
    rule: 'limits: the wider prefixes of an IPv6 address count, too',
    file: 'domain/limits/address.ts',
    from: 'return [narrowest as RateSubject, ...wider];',
    to: 'return [narrowest as RateSubject, ...wider.slice(2)];',
    tests: ['domain/limits/address-windows.test.ts'],
  },
  {
    rule: 'limits: connections of an address are counted by each of its prefixes',
    file: 'domain/limits/connection-leases.ts',
    from: 'subjects.some((subject) => this.#isFull(subject))',
    to: 'this.#isFull(subjects[0] as RateSubject)',
    tests: ['domain/limits/connection-leases.test.ts'],
  },
  {
    rule: 'limits: windows of an address are kept while something in them counts',
    file: 'domain/limits/address-windows.ts',
    from: 'if (windows.isEmpty(now)) this.#held.delete(name);',
    to: 'if (!windows.isEmpty(now)) this.#held.delete(name);',
    tests: ['domain/limits/address-windows.test.ts'],
  },
  {
    rule: 'limits: what a key has drawn is kept until its window is over',
    file: 'durable-objects/gate/held-keys.ts',
    from: 'if (windows.isEmpty(now)) this.#held.delete(keyId);',
    to: 'this.#held.delete(keyId);',
    tests: KEY_TESTS,
  },
  {
    rule: 'limits: unknown keys take no place among those that are held',
    file: 'durable-objects/gate/held-keys.ts',
    from: 'if (key === null) return null;\n    const held',
    to: 'const held',
    tests: KEY_TESTS,
  },
  {
    rule: 'signatures: one is known for as long as it is taken',
    file: 'durable-objects/gate/seen-signatures.ts',
    from: 'WHERE useless_at < ?',
    to: 'WHERE useless_at <= ?',
    tests: ['durable-objects/gate/seen-signatures.test.ts'],
  },
];
