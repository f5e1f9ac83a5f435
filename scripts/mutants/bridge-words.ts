import type { Mutant } from './mutant.ts';

const ROOM = 'domain/bridge/signing';
const JUDGE = `${ROOM}/judge-word.ts`;
const STAKE = 'domain/bridge/chains/evm/stake-client.ts';
const OBJECT = 'durable-objects/transfer/transfer.ts';
const SIGNER_WORDS = 'durable-objects/transfer/signer-words.ts';
const judge = [`${ROOM}/judge-word.test.ts`];
const keep = [`${ROOM}/keep-word.test.ts`];
const proof = [`${ROOM}/lie-proof.test.ts`];
const stake = ['test/node/bridge/stake-client.test.ts'];
const words = ['test/runtime/durable-objects/transfer/words.test.ts'];

/** Rules of what signers say of funds, and of proofs against them. */
export const BRIDGE_WORD_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a word is of who was asked',
    file: JUDGE,
    from: "if (word.signer !== claim.signer) return 'other_signer';",
    to: '',
    tests: judge,
  },
  {
    rule: 'a word says what follows from the terms',
    file: JUDGE,
    from: "if (digestOrNull(word.claim) !== digest) return 'other_claim';",
    to: '',
    tests: judge,
  },
  {
    rule: 'a word’s digest is that of its claim',
    file: JUDGE,
    from: "if (word.digest !== digest) return 'other_digest';",
    to: '',
    tests: judge,
  },
  {
    rule: 'a word is signed by who has the seat',
    file: JUDGE,
    from: "if (!isSignedBy(seat.account, digest, word.signature)) return 'other_signature';",
    to: '',
    tests: judge,
  },
  {
    rule: 'a word has the least stake behind it',
    file: JUDGE,
    from: "return BigInt(seat.stake) < BigInt(minStake) ? 'too_little_stake' : null;",
    to: 'return null;',
    tests: judge,
  },
  {
    rule: 'what another has signed binds no seat',
    file: JUDGE,
    from: 'if (digest === null || !isSignedBy(seat.account, digest, signature)) return null;',
    to: '',
    tests: judge,
  },
  {
    rule: 'what is signed of other funds is no word on these',
    file: JUDGE,
    from: ' || said.subject !== expected.subject',
    to: '',
    tests: judge,
  },
  {
    rule: 'claims of funds follow from the terms, when they are due, too',
    file: `${ROOM}/funds-claim.ts`,
    from: 'dueAt: Math.ceil(expiresAt / 1_000),',
    to: 'dueAt: Math.ceil(Date.now() / 1_000),',
    tests: [`${ROOM}/signer-host.test.ts`],
  },
  {
    rule: 'a transfer keeps no more words than prove something',
    file: `${ROOM}/keep-word.ts`,
    from: 'return isRight ? [...words.filter((kept) => kept !== ofSeat.at(-1)), word] : words;',
    to: 'return [...words, word];',
    tests: keep,
  },
  {
    rule: 'a word that counts is kept, however many others there are',
    file: `${ROOM}/keep-word.ts`,
    from: 'return isRight ? [...words.filter((kept) => kept !== ofSeat.at(-1)), word] : words;',
    to: 'return words;',
    tests: keep,
  },
  {
    rule: 'words of two accounts contradict nobody',
    file: `${ROOM}/lie-proof.ts`,
    from: ' && one.account === other.account',
    to: '',
    tests: proof,
  },
  {
    rule: 'the same words contradict nobody',
    file: `${ROOM}/lie-proof.ts`,
    from: ' && one.claim.digest !== other.claim.digest',
    to: '',
    tests: proof,
  },
  {
    rule: 'two words of one signer are a fault',
    file: `${ROOM}/hear-word.ts`,
    from: "isContradiction ? noteFault(noted, { signer, reason: 'contradiction', at }) : noted",
    to: 'isContradiction ? noted : noted',
    tests: [`${ROOM}/hear-word.test.ts`],
  },
  {
    rule: 'what is wrong and signed is kept',
    file: `${ROOM}/hear-word.ts`,
    from: 'const kept = signed === null ?',
    to: 'const kept = signed === null || fault !== null ?',
    tests: [`${ROOM}/hear-word.test.ts`],
  },
  {
    rule: 'nothing is sent against who is slashed already',
    file: STAKE,
    from: "if ((await isSlashed()) !== null) return 'slashed';",
    to: '',
    tests: stake,
  },
  {
    rule: 'a proof that the contract refuses slashes nobody',
    file: STAKE,
    from: "return (await isSlashed()) === null ? 'no_proof' : 'slashed';",
    to: "return 'slashed';",
    tests: stake,
  },
  {
    rule: 'a burn may come until a day after it had to be there',
    file: STAKE,
    from: "if ((await blockTime(newest)) < dueAt * 1_000 + BURN_GRACE_MS) return 'not_due';",
    to: '',
    tests: stake,
  },
  {
    rule: 'no proof is sent of a burn that one reading shows',
    file: STAKE,
    from: 'for (const block of [newest, Math.max(0, newest - depthOf(chainId))]) {',
    to: 'for (const block of [newest]) {',
    tests: stake,
  },
  {
    rule: 'a transfer counts no word that is wrong',
    file: OBJECT,
    from: 'if (answer.ok && reason === null)',
    to: 'if (answer.ok)',
    tests: words,
  },
  {
    rule: 'a transfer keeps words before they count',
    file: SIGNER_WORDS,
    from: 'await this.#store.save({ words: heard.words, faults: heard.faults });',
    to: 'await this.#store.save({ faults: heard.faults });',
    tests: words,
  },
  {
    rule: 'who gives wrong shares is at fault',
    file: SIGNER_WORDS,
    from: 'if (faults !== known) await this.#store.save({ faults });',
    to: '',
    tests: words,
  },
  {
    rule: 'a transfer counts no word while the chain does not say who has a seat',
    file: SIGNER_WORDS,
    from: 'seats: await chains.seats(this.#store.begun.settings.stake.stake) };',
    to: 'seats: await chains.seats(this.#store.begun.settings.stake.stake).catch(() => this.#seatsRead?.seats ?? []) };',
    tests: words,
  },
];
