import type { Mutant } from './mutant.ts';

const DECIDE = 'domain/consensus/decide.ts';
const VALIDATOR_RULES = 'domain/consensus/validator.ts';
const SEQUENCER = 'durable-objects/sequencer/sequencer.ts';
const STORE = 'durable-objects/sequencer/block-store.ts';
const CHECKPOINTER = 'durable-objects/checkpointer/checkpointer.ts';
const MEMBER_OBJECT = 'durable-objects/validator/validator.ts';
const RECORDER = 'durable-objects/recorder/recorder.ts';
const QUEUE = 'durable-objects/recorder/record-queue.ts';
const CLIENT = 'durable-objects/chain/registry-client.ts';
const OBJECTS = 'test/runtime/durable-objects';
const SEQUENCER_TEST = `${OBJECTS}/sequencer/sequencer.test.ts`;
const CHECKPOINTER_TEST = `${OBJECTS}/checkpointer/checkpointer.test.ts`;
const VALIDATOR_TEST = `${OBJECTS}/validator/validator.test.ts`;
const RECORDER_TEST = `${OBJECTS}/recorder/recorder.test.ts`;
const DECIDE_TEST = 'domain/consensus/decide.test.ts';
const MODEL_TEST = 'domain/consensus/validator.test.ts';

/** Rules of blocks, of those who sign them, and of how they come into the registry. */
export const CONSENSUS_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a vote counts where its member has signed it',
    file: DECIDE,
    from: 'if (vote.hash === hash) return verify(key, message, vote.signature);',
    to: 'if (vote.hash === hash) return true;',
    tests: [DECIDE_TEST],
  },
  {
    rule: 'a member votes for nothing beside what it has voted for',
    file: VALIDATOR_RULES,
    from: 'return chain[this.#voted.height - this.#finalHeight - 1] === this.#voted.hash;',
    to: 'return true;',
    tests: [MODEL_TEST, DECIDE_TEST],
  },
  {
    rule: 'blocks and how far the journal is read are stored together',
    file: STORE,
    from: "      this.#sql.exec('INSERT OR REPLACE INTO journal_read VALUES (1, ?, ?)', read.seq, read.hash);\n",
    to: '',
    tests: [SEQUENCER_TEST],
  },
  {
    rule: 'blocks of one vote are of one committee',
    file: STORE,
    from: 'return other === -1 ? headers : headers.slice(0, other);',
    to: 'return headers;',
    tests: [SEQUENCER_TEST],
  },
  {
    rule: 'a trade is pending until its block is final',
    file: SEQUENCER,
    from: 'place === null || place.height > (this.#store.final?.height ?? 0)',
    to: 'place === null',
    tests: [SEQUENCER_TEST],
  },
  {
    rule: 'a signed vote beside the chain is kept',
    file: SEQUENCER,
    from: 'if (header === undefined || blockHash(header) !== vote.hash) this.#store.keepStray(committee, vote);',
    to: '',
    tests: [SEQUENCER_TEST],
  },
  {
    rule: 'a checkpoint that was proposed stays the one of its number',
    file: CHECKPOINTER,
    from: 'open === null ? CHECKPOINT_BLOCKS_MAX : open.lastHeight - after',
    to: 'CHECKPOINT_BLOCKS_MAX',
    tests: [CHECKPOINTER_TEST],
  },
  {
    rule: 'a checkpoint counts once its certificate is in the bucket',
    file: CHECKPOINTER,
    from: "    await this.#archive.keep({ number: checkpoint.number, blocks: blocks.map(blockHash), certificate: signed });\n    await this.step('before_certify');\n    this.#store.certify(checkpoint, Date.now());\n",
    to: "    this.#store.certify(checkpoint, Date.now());\n    await this.#archive.keep({ number: checkpoint.number, blocks: blocks.map(blockHash), certificate: signed });\n    await this.step('before_certify');\n",
    tests: [CHECKPOINTER_TEST],
  },
  {
    rule: 'readers of receipts have one checkpoint made in two seconds at most',
    file: CHECKPOINTER,
    from: ' && Date.now() - this.#store.certifiedAt >= ON_DEMAND_MS',
    to: '',
    tests: [CHECKPOINTER_TEST],
  },
  {
    rule: 'what a new instance finds certified is told to the sequencer',
    file: CHECKPOINTER,
    from: '      await this.#tellSequencer();\n      const made',
    to: '      const made',
    tests: [CHECKPOINTER_TEST],
  },
  {
    rule: 'a checkpoint holds blocks of one committee',
    file: STORE,
    from: 'const last = (other === -1 ? headers.at(-1) : headers[other - 1])?.height ?? after;',
    to: 'const last = headers.at(-1)?.height ?? after;',
    tests: [CHECKPOINTER_TEST],
  },
  {
    rule: 'a member in an object keeps its vote before it gives it',
    file: MEMBER_OBJECT,
    from: 'save: (vote: VotedFor) => this.#store.keepVote(hash, vote),',
    to: 'save: (_vote: VotedFor) => undefined,',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'a member in an object sits in one committee an epoch',
    file: MEMBER_OBJECT,
    from: 'if (!this.#store.meets(committee.epoch, hash, JSON.stringify(committee)))',
    to: 'if (!this.#store.meets(committee.epoch, hash, JSON.stringify(committee)) && false)',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'a member in an object believes certificates alone',
    file: MEMBER_OBJECT,
    from: 'text !== null && (await certificateFault(certificate, JSON.parse(text) as Committee, verifyEd25519)) === null',
    to: 'text !== null',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'a transaction is kept before it is handed in',
    file: RECORDER,
    from: '    this.#queue.keep({ ...sent, sentAt: Date.now() }, entries);\n    await this.ctx.storage.sync();\n',
    to: '',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'a transaction is confirmed as deep as the deployment says',
    file: RECORDER,
    from: 'if (height - found.inclusion.blockNumber + 1 < this.confirmations) return;',
    to: '',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'a transaction that no block takes pays more',
    file: RECORDER,
    from: 'if (isOld && sent.tries.length < TRIES_MAX) return this.#bump(registry, sent);',
    to: '',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'what stood in the registry before is noted with its own transaction',
    file: RECORDER,
    from: 'if (own.has(keyOf(entry)))',
    to: 'if (true)',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'checkpoints that are refused keep back no settlements',
    file: RECORDER,
    from: '      reason = reasonOf(error);\n    }\n    if (reason !== null',
    to: '      throw error;\n    }\n    if (reason !== null',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'one transaction of checkpoints is under way at a time',
    file: RECORDER,
    from: ' || sent.some(({ checkpoint }) => checkpoint !== null)',
    to: '',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'a replacement is signed again, as its own',
    file: CLIENT,
    from: "    const terms = { type: 'eip1559', chainId, nonce, to, data, gas } as const;",
    to: '    const terms = { ...parseTransaction(raw as TransactionSerializedEIP1559), chainId, nonce, to, data, gas } as const;',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'a transaction that was reverted gives its settlements back',
    file: QUEUE,
    from: "      this.#sql.exec('UPDATE waiting SET nonce = NULL WHERE nonce = ?', nonce);\n",
    to: '',
    tests: [RECORDER_TEST],
  },
];
