import type { Mutant } from './mutant.ts';

const HOST = 'domain/bridge/signing/ceremony/ceremony-host.ts';
const NEXT = 'domain/bridge/signing/ceremony/next-ceremony.ts';
const recovered = ['test/node/bridge/recovered-contract.test.ts'];
const next = ['domain/bridge/signing/ceremony/next-ceremony.test.ts'];

/** Keys are dealt again while some of the five are killed, or lost for good. */
export const BRIDGE_KEY_CEREMONY_MUTANTS: readonly Mutant[] = [
  {
    rule: 'signers sign for a contract by the key that it says itself',
    file: 'domain/bridge/signing/chain-eyes.ts',
    from: 'return this.#by.chains.keysInForce(await this.#vault(terms, side));',
    to: 'return (await this.#vault(terms, side)).keys;',
    tests: ['domain/bridge/signing/chain-eyes.test.ts'],
  },
  {
    rule: 'signers in objects sign for a contract by the key that it says itself',
    file: 'durable-objects/bridge-chains/worker-eyes.ts',
    from: 'chains.keysInForce(await vaultAt(terms, side))',
    to: '(await vaultAt(terms, side)).keys',
    tests: ['test/runtime/durable-objects/bridge-chains/worker-eyes.test.ts'],
  },
  {
    rule: 'a coordinator has payments of a contract signed by the key that it says itself',
    file: 'durable-objects/bridge-chains/signing-cluster.ts',
    from: 'await chains.keysInForce(vault)',
    to: 'vault.keys',
    tests: recovered,
  },
  {
    rule: 'a signer has one vote for what shares are checked against',
    file: 'domain/bridge/signing/agreed-cluster.ts',
    from: 'for (const [text, cluster] of own) votes.set(text, { cluster, count: (votes.get(text)?.count ?? 0) + 1 });',
    to: 'for (const cluster of clusters) votes.set(JSON.stringify(cluster), { cluster, count: (votes.get(JSON.stringify(cluster))?.count ?? 0) + Number(own.size > 0) });',
    tests: ['domain/bridge/signing/agreed-cluster.test.ts'],
  },
  {
    rule: 'what shares are checked against follows from the commitments of the key',
    file: 'domain/bridge/signing/agreed-cluster.ts',
    from: ' && hasSharesOfItsKey(cluster)',
    to: '',
    tests: ['domain/bridge/signing/agreed-cluster.test.ts'],
  },
  {
    rule: 'a payment is completed by the key that its contract says',
    file: 'domain/bridge/chains/chain-calls.ts',
    from: '{ ...vault, keys: await keysInForce(vault) }',
    to: 'vault',
    tests: recovered,
  },
  {
    rule: 'a share that was confirmed is kept until a later one is in use',
    file: HOST,
    from: '.filter(({ confirmation }) => confirmation === null)\n      .map(removal)',
    to: '.map(removal)',
    tests: next,
  },
  {
    rule: 'who has a ceremony in use tells the word of all five to whoever goes on with it',
    file: HOST,
    from: 'const confirmed = this.#record(terms)?.confirmed ?? null;',
    to: 'const confirmed = null as CeremonyRecord["confirmed"];',
    tests: next,
  },
  {
    rule: 'no signer goes back to an earlier generation of a key',
    file: HOST,
    from: "if (this.#isPast(terms, cluster)) return refused('a later generation of the key is in use');",
    to: '',
    tests: next,
  },
  {
    rule: 'ceremonies that a later one has taken the place of are forgotten',
    file: HOST,
    from: '...this.#outdated(terms, cluster),',
    to: '',
    tests: next,
  },
  {
    rule: 'a key is answered once three have it in use',
    file: NEXT,
    from: 'if (outcome.ok && outcome.waiting.length > CLUSTER_SIZE - CLUSTER_THRESHOLD) return away();',
    to: '',
    tests: next,
  },
  {
    rule: 'a ceremony has a later generation than any that was confirmed',
    file: NEXT,
    from: '[...clusters, ...(open[signer] ?? [])]',
    to: '[...clusters]',
    tests: next,
  },
  {
    rule: 'keys that were rotated are dealt again with the newest',
    file: NEXT,
    from: 'return inOrder([...byKey.values()]);',
    to: 'return inOrder([...byKey.values()]).slice(-1);',
    tests: next,
  },
  {
    rule: 'who deals a key again is looked up after what was cut short has ended',
    file: NEXT,
    from: 'cutShort(before).length === 0 ? before : await standingOf(scheme, signers)',
    to: 'before',
    tests: next,
  },
  {
    rule: 'a signer that says the same key three times is one signer',
    file: NEXT,
    from: 'return onceEach(held.flat()).filter((cluster) => holders(cluster).length >= CLUSTER_THRESHOLD);',
    to: 'return held.flat().filter((cluster) => held.flat().filter((each) => isSame(each, cluster)).length >= CLUSTER_THRESHOLD);',
    tests: next,
  },
  {
    rule: 'a generation that one signer makes up is not gone on from',
    file: NEXT,
    from: 'told.flat().filter((generation) => generation <= most)',
    to: 'told.flat()',
    tests: next,
  },
  {
    rule: 'a new key that was cut short is not gone on with where keys are dealt again',
    file: NEXT,
    from: '.filter(({ from }) => from !== null && isHeldByThree(standing, from))',
    to: '.filter(({ from }) => from === null || isHeldByThree(standing, from))',
    tests: next,
  },
];
