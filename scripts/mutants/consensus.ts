import type { Mutant } from './mutant.ts';

const DECIDE = 'domain/consensus/decide.ts';
const VALIDATOR_RULES = 'domain/consensus/validator.ts';
const SEQUENCER = 'durable-objects/sequencer/sequencer.ts';
const STORE = 'durable-objects/sequencer/block-store.ts';
const CHECKPOINTER = 'durable-objects/checkpointer/checkpointer.ts';
const MEMBER_HOST = 'domain/consensus/member-host.ts';
const MEMORY_FILE = 'containers/validator/memory-file.ts';
const REMOTE_MEMBER = 'durable-objects/validator/remote-member.ts';
const RECORDER = 'durable-objects/recorder/recorder.ts';
const QUEUE = 'durable-objects/recorder/record-queue.ts';
const CLIENT = 'durable-objects/chain/registry-client.ts';
const OBJECTS = 'test/runtime/durable-objects';
const SEQUENCER_TEST = `${OBJECTS}/sequencer/sequencer.test.ts`;
const CHECKPOINTER_TEST = `${OBJECTS}/checkpointer/checkpointer.test.ts`;
const VALIDATOR_TEST = `${OBJECTS}/validator/validator.test.ts`;
const RECORDER_TEST = `${OBJECTS}/recorder/recorder.test.ts`;
const QUEUE_TEST = `${OBJECTS}/recorder/record-queue.test.ts`;
const DECIDE_TEST = 'domain/consensus/decide.test.ts';
const MEMBER_HOST_TEST = 'domain/consensus/member-host.test.ts';
const VALIDATOR_PROCESS_TEST = 'test/node/consensus/validator-process.test.ts';
const MODEL_TEST = 'domain/consensus/validator.test.ts';

/** Rules of blocks, of those who sign them, and of how they come into the registry. */
export const CONSENSUS_MUTANTS: readonly Mutant[] = [
  {
    rule: 'an instance of the sequencer tells of what was final before it',
    file: SEQUENCER,
    from: 'if (this.#toldHeight < this.#finalHeight) this.#tellFinal();',
    to: '',
    tests: [SEQUENCER_TEST],
  },
  {
    rule: 'an instance of the ledger tells of what was journaled before it',
    file: 'durable-objects/ledger/ledger.ts',
    from: 'if (journal.head.seq > 0) this.#wakeReaders();',
    to: '',
    tests: [SEQUENCER_TEST],
  },
  {
    rule: 'checkpoints that fail are tried again by themselves',
    file: RECORDER,
    from: 'else if (this.#checkpointsWaitFor !== null) next = this.#checkpointsAt;',
    to: '',
    tests: [RECORDER_TEST],
  },
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
    from: 'place === null || place.height > this.#finalHeight',
    to: 'place === null',
    tests: [SEQUENCER_TEST],
  },
  {
    rule: 'a signed vote beside the chain is kept',
    file: SEQUENCER,
    from: 'if (header === undefined || blockHash(header) !== vote.hash) this.#store.keepStray(committee, vote, provable);',
    to: '',
    tests: [SEQUENCER_TEST],
  },
  {
    rule: 'a vote of a height that no block has, or that is too far back, is not kept',
    file: SEQUENCER,
    from: '    if (vote.height < provable.from || vote.height > provable.to) return;\n',
    to: '',
    tests: [SEQUENCER_TEST],
  },
  {
    rule: 'a vote that proves nothing gives way to one that may',
    file: STORE,
    from: "NOT strays.vote ->> 'height' BETWEEN ? AND ?",
    to: '? + ? < 0',
    tests: [SEQUENCER_TEST],
  },
  {
    rule: 'a committee is formed with its keys for checkpoints',
    file: SEQUENCER,
    from: '    if (this.#areMembersHosted) await checkpointerOf(this.env).meet(committee, memberPlaces(this.places));\n',
    to: '',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'an alarm that finds a checkpoint under way rings again',
    file: CHECKPOINTER,
    from: '    if (wasUnderWay) await this.#ensureAlarm(this.#store.certifiedAt + EVERY_MS);\n',
    to: '',
    tests: [CHECKPOINTER_TEST],
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
    from: 'const isTried = Date.now() - Math.max(this.#triedAt, this.#store.certifiedAt) < ON_DEMAND_MS;',
    to: 'const isTried = false;',
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
    file: MEMBER_HOST,
    from: '    this.#memory.keepVote(hash, vote);\n',
    to: '',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'a member in an object sits in one committee an epoch',
    file: MEMBER_HOST,
    from: 'if (!this.#memory.meets(committee))',
    to: 'if (!this.#memory.meets(committee) && false)',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'a member in an object believes certificates alone',
    file: MEMBER_HOST,
    from: 'return (await certificateFault(certificate, committee, verifyEd25519)) === null;',
    to: 'return certificate.votes.length >= 0;',
    tests: [VALIDATOR_TEST],
  },
  {
    rule: 'calls that come together find a member in one seat',
    file: MEMBER_HOST,
    from: '  made.set(key, one);\n',
    to: '  one.then(() => made.set(key, one));\n',
    tests: [MEMBER_HOST_TEST],
  },
  {
    rule: 'a memory that is not on disk has not changed',
    file: MEMORY_FILE,
    from: '    this.#write(JSON.stringify(kept));\n    this.#kept = kept;\n',
    to: '    this.#kept = kept;\n    this.#write(JSON.stringify(kept));\n',
    tests: [VALIDATOR_PROCESS_TEST],
  },
  {
    rule: 'of a member’s answer no more is read than the longest has',
    file: REMOTE_MEMBER,
    from: 'if (bytes > MEMBER_CALL_BYTES_MAX)',
    to: 'if (bytes > 40 * MEMBER_CALL_BYTES_MAX)',
    tests: [VALIDATOR_PROCESS_TEST],
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
    from: 'if (height - found.inclusion.blockNumber + 1 < this.settings.confirmations) return;',
    to: '',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'a transaction that no block takes pays more',
    file: RECORDER,
    from: '    if (isOld) return this.#bump(registry, sent, last);\n',
    to: '',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'nothing is handed in while gas costs more than it may',
    file: RECORDER,
    from: '    if (price.total > this.settings.gasPriceMax) throw this.#tooDear(price);\n',
    to: '',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'what waits is not signed for more than gas may cost',
    file: RECORDER,
    from: 'const isTooDear = price.total > this.settings.gasPriceMax;',
    to: 'const isTooDear = false;',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'what waits for funds is not signed for more',
    file: RECORDER,
    from: ' || !(await registry.canPay(last, price))',
    to: '',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'the chain is asked once a second',
    file: RECORDER,
    from: 'const at = Math.max(now, Math.min(now, this.#askedAt) + POLL_MS);',
    to: 'const at = now;',
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
    from: '      reason = reasonOf(error);\n      this.#checkpointsAt = Date.now() + this.#checkpointPause.next_ms();',
    to: '      throw error;',
    tests: [RECORDER_TEST],
  },
  {
    rule: 'one transaction of checkpoints is under way at a time',
    file: RECORDER,
    from: '    if (sent.some(({ checkpoint }) => checkpoint !== null)) return;\n',
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
    rule: 'what was made of a trade is recorded behind its settlement',
    file: QUEUE,
    from: 'e.place < w.place AND e.nonce >= 0)',
    to: 'e.place < w.place AND e.nonce >= 0 AND false)',
    tests: [QUEUE_TEST],
  },
  {
    rule: 'a trade whose place in the registry is filled keeps back no other',
    file: RECORDER,
    from: 'if (full === null || !entries',
    to: 'if (full !== null || !entries',
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
