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
const signers = ['test/runtime/workers/exchange/operator/bridge-signers.test.ts'];
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
    from: 'if (isDeepStrictEqual(held, value)) return { value, from, next: null };',
    to: '',
    tests: notice,
  },
  {
    rule: 'a change that is stated again keeps its time',
    file: NOTICE,
    from: 'isStatedAgain ? waiting.from : now',
    to: 'isStatedAgain ? now : now',
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
    from: 'address?.toLowerCase().replace',
    to: 'address?.replace',
    tests: identity,
  },
  {
    rule: 'funds at a provider are those of its account',
    file: IDENTITY,
    from: 'const account = custody && [',
    to: 'const account = custody && null && [',
    tests: identity,
  },
  {
    rule: 'the digest of places has the guard',
    file: DIGEST,
    from: 'guard.toLowerCase(), scale]',
    to: "'', scale]",
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
    from: "if (text !== JSON.stringify(versions)) this.#memory.write([{ kind: 'place', id: record, text }]);",
    to: '',
    tests: memory,
  },
  {
    rule: 'no two assets have their funds in one place',
    file: MEMORY,
    from: 'isNew(value) && isTaken(value)',
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
    rule: 'a vault changes behind a notice once a transfer has begun',
    file: TENANTS,
    from: '(await hasTransfers(db, organization))\n    ? restated',
    to: 'action === null\n    ? restated',
    tests: operators,
  },
  {
    rule: 'a guard changes behind a notice once a transfer has begun',
    file: TENANTS,
    from: 'isFree ? freely(stated)',
    to: 'now > 0 ? freely(stated)',
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
  {
    rule: 'a first place holds after its notice, too',
    file: NOTICE,
    from: 'if (stands === null) return first;',
    to: 'if (stands === null) return { value, from: 0, next: null };',
    tests: notice,
  },
  {
    rule: 'what needs no notice leaves what is to follow',
    file: NOTICE,
    from: 'return { value, from, next: waiting };',
    to: 'return { value, from, next: null };',
    tests: notice,
  },
  {
    rule: 'an amount for the hardware module is raised behind a notice',
    file: 'domain/bridge/places/organization-places.ts',
    from: '?? Infinity) <= from',
    to: '?? 0) <= from',
    tests: notice,
  },
  {
    rule: 'of former versions the newest are kept',
    file: KEPT,
    from: '.slice(-VERSIONS_MAX)',
    to: '',
    tests: kept,
  },
  {
    rule: 'a former place is none that another asset has to leave alone',
    file: KEPT,
    from: 'kept.slice(Math.max(0, last))',
    to: 'kept.slice(0)',
    tests: kept,
  },
  {
    rule: 'a wrapped token holds itself, whatever token is stated of it',
    file: IDENTITY,
    from: 'chain === EXCHANGE_CHAIN ? null : oneForm(token)',
    to: 'oneForm(token)',
    tests: identity,
  },
  {
    rule: 'what comes in is what is counted',
    file: DIGEST,
    from: 'isExactly(amountIn, source?.decimals ?? scale, amount) &&',
    to: '',
    tests: digest,
  },
  {
    rule: 'what goes out is what is counted, without the fee',
    file: DIGEST,
    from: 'amount - fee)',
    to: 'amount)',
    tests: digest,
  },
  {
    rule: 'a payout is in the scale of its places',
    file: 'domain/bridge/signing/check-job.ts',
    from: "(payment.kind === 'payout' ? scaleRefusal(terms, await eyes.places(terms)) : null) ??",
    to: '',
    tests: ['domain/bridge/signing/check-job.test.ts'],
  },
  {
    rule: 'a signer attests no funds that are not what is counted',
    file: HOST,
    from: 'if (outOfScale !== null) return { ok: false, ...outOfScale };',
    to: '',
    tests: host,
  },
  {
    rule: 'a signer that has seen funds takes a change behind a notice',
    file: MEMORY,
    from: 'this.#isInUse() ? keepStated',
    to: 'versions.length < 0 ? keepStated',
    tests: memory,
  },
  {
    rule: 'a signer that has seen no funds takes what is stated',
    file: MEMORY,
    from: "this.#memory.has('transfer') && this.#memory.has('place')",
    to: "this.#memory.has('place')",
    tests: memory,
  },
  {
    rule: 'a signer that keeps nothing yet keeps all that is stated',
    file: MEMORY,
    from: "if (!this.#memory.has('place')) await this.look(organization).catch(() => undefined);",
    to: 'void organization;',
    tests: memory,
  },
  {
    rule: 'a symbol stands for the asset that it stood for',
    file: MEMORY,
    from: ' && one.asset === other.asset',
    to: '',
    tests: memory,
  },
  {
    rule: 'an asset has the decimals that it had',
    file: MEMORY,
    from: ' && one.scale === other.scale',
    to: '',
    tests: memory,
  },
  {
    rule: 'a signer that would sign something else is not named for it',
    file: HOST,
    from: 'job.builds !== undefined && job.builds !== messagesDigest(checked.value.unsigned)',
    to: 'false',
    tests: ['domain/bridge/signing/coordinator.test.ts'],
  },
  {
    rule: 'a change that is gone before it counts never was',
    file: KEPT,
    from: '.filter(({ countsFrom }) => countsFrom <= now).slice',
    to: '.slice',
    tests: kept,
  },
  {
    rule: 'signers look when places are stated',
    file: ROUTES,
    from: 'const look = lookAt(c.env, organization);',
    to: 'const look = Promise.resolve(organization);',
    tests: signers,
  },
  {
    rule: 'signers look every hour',
    file: 'workers/cron/run-hourly.ts',
    from: '    lookAtChangedPlaces(env, Date.now()),\n',
    to: '',
    tests: signers,
  },
  {
    rule: 'a recovery is refuted at a contract that was replaced',
    file: TENANTS,
    from: '      { ...of, place, heldAt: nextFrom - 1 },\n',
    to: '',
    tests: ['test/runtime/application/bridge/refute-recoveries.test.ts'],
  },
];
