import type { Mutant } from './mutant.ts';

const MEMBER_HOST = 'domain/consensus/member-host.ts';
const SEQUENCER = 'durable-objects/sequencer/sequencer.ts';
const MEMBERS = 'durable-objects/validator/api.ts';
const MEMBER_HOST_TEST = 'domain/consensus/member-host.test.ts';
const VALIDATOR_TEST = 'test/runtime/durable-objects/validator/validator.test.ts';
const VERIFY = 'scripts/verify.ts';
const REGISTRY_TEST = 'test/node/registry/verified-receipts.test.ts';
const PLACES_TEST = 'durable-objects/validator/member-places.test.ts';

/** Rules of committees from epoch to epoch, and of where their members are. */
export const COMMITTEE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a member names a committee that has its own key alone',
    file: MEMBER_HOST,
    from: 'if (!next.keys.includes(await this.publicKey(next.epoch)))',
    to: 'if (next.keys.length === 0)',
    tests: [MEMBER_HOST_TEST],
  },
  {
    rule: 'a member that has voted in a later epoch votes in none before it',
    file: MEMBER_HOST,
    from: 'if ((this.#memory.lastVote()?.epoch ?? 0) > committee.epoch)',
    to: 'if (committee.epoch < 0)',
    tests: [MEMBER_HOST_TEST],
  },
  {
    rule: 'a member votes for nothing that it considered before its last vote',
    file: 'domain/consensus/member.ts',
    from: ' || this.#of.votes.last()?.hash !== this.#voted?.hash',
    to: '',
    tests: [MEMBER_HOST_TEST],
  },
  {
    rule: 'a member needs no certificate of the block of its last vote, and of no other',
    file: 'domain/consensus/member.ts',
    from: 'votes.last()?.hash === blockHash(final)',
    to: 'votes.last() !== null',
    tests: [MEMBER_HOST_TEST],
  },
  {
    rule: 'a member that has voted believes no committee for sitting in it',
    file: MEMBER_HOST,
    from: 'if (!this.#memory.hasVoted) return this.#provesMet(final, certificate);',
    to: 'if (certificate !== null) return this.#provesMet(final, certificate);',
    tests: [MEMBER_HOST_TEST],
  },
  {
    rule: 'a vote in a committee that nobody has named is no reason to believe it',
    file: MEMBER_HOST,
    from: 'if (!this.#memory.hasVoted) this.#believeFirst(committee);',
    to: 'this.#believeFirst(committee);',
    tests: [MEMBER_HOST_TEST],
  },
  {
    rule: 'a member believes those shown committees alone that are named',
    file: MEMBER_HOST,
    from: 'if (trusted.has(hash) && !known.has(hash))',
    to: 'if (!known.has(hash))',
    tests: [MEMBER_HOST_TEST],
  },
  {
    rule: 'a signature that was not made here is verified',
    file: 'durable-objects/sequencer/embedded-committee.ts',
    from: 'made.has(nameOf(key, message, signature)) ||',
    to: 'made.size > 0 ||',
    tests: ['test/runtime/durable-objects/sequencer/sequencer.test.ts'],
  },
  {
    rule: 'each handover that was missed is asked for again',
    file: SEQUENCER,
    from: 'const unnamed = this.#store.unnamedAfter(this.#handoversAfter, HANDOVERS_MAX);',
    to: 'const unnamed = this.#store.unnamedAfter(this.epoch - 1, HANDOVERS_MAX);',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'members of a committee of before are asked where they were then',
    file: MEMBERS,
    from: 'const noted = places?.[member] ?? present;',
    to: 'const noted = places === null ? present : present;',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'a lower epoch is refused before a block names it',
    file: SEQUENCER,
    from: '    this.#refuseEarlier(epoch);\n',
    to: '',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'a process is opened by its own token, where each has one',
    file: MEMBERS,
    from: 'if (own === undefined) throw',
    to: 'if (own === undefined) return token; if (own.length < 0) throw',
    tests: [PLACES_TEST],
  },
  {
    rule: 'who has voted for two blocks is in no later committee',
    file: SEQUENCER,
    from: '    if (this.#areMembersHosted) this.#refuseEquivocators(epoch);\n',
    to: '',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'members that take no part are named',
    file: SEQUENCER,
    from: 'MEMBERS.filter((member) => !taking.has(member))',
    to: 'MEMBERS.filter((member) => member < 0 && !taking.has(member))',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'the verifier calls nothing settled by a registry that has taken in nothing for long',
    file: VERIFY,
    from: 'now - lastRecord.at <= registryAge_ms',
    to: 'now - lastRecord.at <= now',
    tests: [REGISTRY_TEST],
  },
  {
    rule: 'the verifier ends where the registry has another checkpoint of that number',
    file: VERIFY,
    from: 'recorded[at] === false',
    to: 'recorded[at] === undefined && at < 0',
    tests: [REGISTRY_TEST],
  },
  {
    rule: 'the verifier believes a committee by the registry where that has its checkpoint',
    file: VERIFY,
    from: 'checkpoints.filter((_, at) => recorded[at])',
    to: 'checkpoints',
    tests: [REGISTRY_TEST],
  },
];
