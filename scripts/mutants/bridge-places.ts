import type { Mutant } from './mutant.ts';

const NOTICE = 'domain/bridge/places/notice.ts';
const KEPT = 'domain/bridge/places/kept-versions.ts';
const IDENTITY = 'domain/bridge/places/vault-identity.ts';
const DIGEST = 'domain/bridge/places/transfer-places.ts';
const HOST = 'domain/bridge/signing/signer-host.ts';
const MEMORY = 'durable-objects/bridge-chains/kept-places.ts';
const TENANTS = 'data/bridge/tenants.ts';
const ROUTES = 'workers/exchange/operator/bridge-routes.ts';
const notice = ['domain/bridge/places/notice.test.ts'];
const kept = ['domain/bridge/places/kept-versions.test.ts'];
const identity = ['domain/bridge/places/vault-identity.test.ts'];
const digest = ['domain/bridge/places/transfer-places.test.ts'];
const host = ['domain/bridge/signing/signer-host.test.ts'];
const memory = ['test/runtime/durable-objects/bridge-chains/kept-places.test.ts'];
const operators = ['test/runtime/workers/exchange/operator/bridge-places.test.ts'];
const transfers = ['test/runtime/durable-objects/transfer/transfer.test.ts'];

/** Places of vaults and guards change behind a notice that signers keep for themselves. */
export const BRIDGE_PLACE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a change holds from its time on',
    file: NOTICE,
    from: 'at >= next.from',
    to: 'at > next.from',
    tests: notice,
  },
  {
    rule: 'what holds takes back what was to follow',
    file: NOTICE,
    from: 'if (isSame(held, value)) return { value, next: null };',
    to: 'if (isSame(held, value)) return { ...stands, value };',
    tests: notice,
  },
  {
    rule: 'a change that is stated again keeps its time',
    file: NOTICE,
    from: 'isSame(waiting.value, value) ? waiting.from : now',
    to: 'isSame(waiting.value, value) ? now : now',
    tests: notice,
  },
  {
    rule: 'what was to follow follows what holds once its time has come',
    file: NOTICE,
    from: 'const held = heldAt(stands, now);',
    to: 'const held = stands.value;',
    tests: notice,
  },
  {
    rule: 'a signer goes by no change that it has not seen for long enough',
    file: KEPT,
    from: '?? now + SEEN_BEFORE_MS',
    to: '?? now',
    tests: kept,
  },
  {
    rule: 'a change does not count before it is stated to',
    file: KEPT,
    from: 'countsFrom: Math.max(from, known(value)',
    to: 'countsFrom: Math.max(0, known(value)',
    tests: kept,
  },
  {
    rule: 'the time of a change goes on however often a signer looks',
    file: KEPT,
    from: 'known(value)?.countsFrom ??',
    to: 'undefined ??',
    tests: kept,
  },
  {
    rule: 'a transfer is judged by no change that its signer saw later',
    file: KEPT,
    from: 'Math.min(known(held)?.from ?? now, now)',
    to: '0',
    tests: kept,
  },
  {
    rule: 'a change that is gone before it counts never was',
    file: KEPT,
    from: 'const counting = kept.filter(({ countsFrom }) => countsFrom <= now);',
    to: 'const counting = kept;',
    tests: kept,
  },
  {
    rule: 'what held before is kept for transfers that began by it',
    file: KEPT,
    from: '(counting[index + 1]?.from ?? now) > now - FORMER_MS',
    to: 'index === counting.length - 1',
    tests: kept,
  },
  {
    rule: 'what held too long ago is kept no more',
    file: KEPT,
    from: '(counting[index + 1]?.from ?? now) > now - FORMER_MS',
    to: 'index >= 0',
    tests: kept,
  },
  {
    rule: 'no transfer goes by what holds later',
    file: KEPT,
    from: 'if (!(begunAt <= now + CLOCKS_APART_MS))',
    to: 'if (begunAt > now + 2 * CLOCKS_APART_MS)',
    tests: kept,
  },
  {
    rule: 'no transfer goes by what was changed without notice',
    file: KEPT,
    from: "if (version.countsFrom > Math.max(now, begunAt)) throw new Error('places were changed without notice');",
    to: '',
    tests: kept,
  },
  {
    rule: 'a transfer goes by what held when it began',
    file: KEPT,
    from: 'from <= begunAt)',
    to: 'from <= now)',
    tests: kept,
  },
  {
    rule: 'where the key is the vault, another key is another vault',
    file: IDENTITY,
    from: 'vault.contract === null ? vault : { ...vault, keys: null }',
    to: '{ ...vault, keys: null }',
    tests: identity,
  },
  {
    rule: 'another key of a contract is the same vault',
    file: IDENTITY,
    from: 'vault.contract === null ? vault : { ...vault, keys: null }',
    to: 'vault',
    tests: identity,
  },
  {
    rule: 'an address is the same in capitals',
    file: IDENTITY,
    from: 'contract?.toLowerCase()',
    to: 'contract',
    tests: identity,
  },
  {
    rule: 'funds at a provider are those of its account',
    file: IDENTITY,
    from: 'custody === undefined',
    to: 'keys !== null',
    tests: identity,
  },
  {
    rule: 'the digest of places has the guard',
    file: DIGEST,
    from: 'guard.toLowerCase()]',
    to: "'']",
    tests: digest,
  },
  {
    rule: 'the digest of a contract leaves its key out',
    file: DIGEST,
    from: 'contract === null ? [keys.scheme',
    to: 'keys !== null ? [keys.scheme',
    tests: digest,
  },
  {
    rule: 'a signer knows no place whose key it has no share of',
    file: HOST,
    from: 'vault !== null && findShare(memory, vault.keys) === null',
    to: 'false',
    tests: host,
  },
  {
    rule: 'a signer keeps the places that it saw first',
    file: MEMORY,
    from: "if (text !== JSON.stringify(known)) this.#memory.write([{ kind: 'place', id: record, text }]);",
    to: '',
    tests: memory,
  },
  {
    rule: 'no two assets have their funds in one place',
    file: MEMORY,
    from: 'isNew(vault) && isTaken(vault)',
    to: 'false',
    tests: memory,
  },
  {
    rule: 'a change to the place of another asset is none',
    file: MEMORY,
    from: 'stated.next === null ? [stated.value] : [stated.value, stated.next.value]',
    to: '[stated.value]',
    tests: memory,
  },
  {
    rule: 'a place that no transfer has used is not kept',
    file: MEMORY,
    from: 'if (this.#read(record).length === 0) continue;',
    to: '',
    tests: memory,
  },
  {
    rule: 'what an organization has set and no transfer has used is not kept',
    file: MEMORY,
    from: 'settings !== null && this.#read(SETTINGS).length > 0',
    to: 'settings !== null',
    tests: memory,
  },
  {
    rule: 'a vault changes behind a notice once a transfer has begun',
    file: TENANTS,
    from: 'const { value, next } = restated(stands, place, now, isSameVault);',
    to: 'const { value, next } = restated(null, place, now, isSameVault);',
    tests: operators,
  },
  {
    rule: 'a guard changes behind a notice once a transfer has begun',
    file: TENANTS,
    from: 'restated(stands, { guard, stake, coSignFrom }, now)',
    to: 'restated(null, { guard, stake, coSignFrom }, now)',
    tests: operators,
  },
  {
    rule: 'an operator states no place where funds of another asset lie',
    file: ROUTES,
    from: 'of && isSameFunds(of, row.place)',
    to: 'false',
    tests: operators,
  },
  {
    rule: 'a transfer begins where three signers know its places',
    file: 'application/bridge/initiate-transfer.ts',
    from: 'if (refusal !== null) return err(refusal);',
    to: '',
    tests: transfers,
  },
];
