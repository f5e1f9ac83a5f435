import type { Mutant } from './mutant.ts';

const FLOW = 'durable-objects/order-book/cycle/order-flow.ts';
const FLOW_TESTS = ['durable-objects/order-book/cycle/order-flow.test.ts'];
const REBUILD_TESTS = ['test/runtime/durable-objects/ledger/rebuild.test.ts'];

/** Rules of what goes on, and what is repaired, while a part of the system is away. */
export const REPAIR_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a change of an asset is kept until its markets have followed',
    file: 'data/catalog/assets.ts',
    from: '...(awaited ? [',
    to: '...(awaited && false ? [',
    tests: ['test/runtime/workers/exchange/operator/assets.test.ts'],
  },
  {
    rule: 'an image that an asset no longer names is known to be unreferenced',
    file: 'data/catalog/assets.ts',
    from: '...(before === null ? []',
    to: '...(before !== null ? []',
    tests: ['test/runtime/workers/exchange/operator/assets.test.ts'],
  },
  {
    rule: 'markets follow what their asset has become since it was changed',
    file: 'application/operator/follow-asset-change.ts',
    from: 'followStatus(env, asset, change)',
    to: 'followStatus(env, { ...asset, status: change.after.status }, change)',
    tests: ['test/runtime/workers/exchange/operator/assets.test.ts'],
  },
  {
    rule: 'a book that is not owned yet takes cancels alone',
    file: FLOW,
    from: 'if (this.#isHalted || !this.#isOwner) return',
    to: 'if (this.#isHalted) return',
    tests: FLOW_TESTS,
  },
  {
    rule: 'nothing is sent for a book that is not owned yet',
    file: FLOW,
    from: 'return this.#isStopped || this.#isHalted || !this.#isOwner;',
    to: 'return this.#isStopped || this.#isHalted;',
    tests: FLOW_TESTS,
  },
  {
    rule: 'new orders are refused at once while the ledger hangs',
    file: FLOW,
    from: 'if (this.#sender.isLedgerSilent && !isCancel) return false;',
    to: '',
    tests: FLOW_TESTS,
  },
  {
    rule: 'a call that hangs counts as lost',
    file: 'durable-objects/order-book/settlement/answer-watch.ts',
    from: 'waiting.giveUp(new NoAnswer(waiting.limit_ms));',
    to: '',
    tests: ['durable-objects/order-book/settlement/answer-watch.test.ts'],
  },
  {
    rule: 'nothing is projected while D1 is being emptied',
    file: 'data/ledger/projection/project.ts',
    from: 'SELECT CASE emptying WHEN 0 THEN seq ELSE -1 END FROM projections',
    to: 'SELECT seq FROM projections',
    tests: REBUILD_TESTS,
  },
  {
    rule: 'without the mark a step of emptying deletes nothing',
    file: 'data/ledger/projection/empty-read-model.ts',
    from: "'EXISTS (SELECT 1 FROM projections WHERE shard = ?1 AND emptying = 1)'",
    to: "'EXISTS (SELECT 1 FROM projections WHERE shard = ?1)'",
    tests: REBUILD_TESTS,
  },
  {
    rule: 'nothing is emptied before the journal is proved whole',
    file: 'durable-objects/ledger/read-model-rebuild.ts',
    from: "if (this.#record?.step === 'verifying') await this.#verify();",
    to: "if (this.#record?.step === 'verifying') this.#change({ step: 'marking' });",
    tests: REBUILD_TESTS,
  },
  {
    rule: 'nothing is admitted while D1 is written again',
    file: 'durable-objects/ledger/ledger.ts',
    from: ' || rebuild.isReadModelGone;',
    to: ';',
    tests: REBUILD_TESTS,
  },
  {
    rule: 'a repeated cancel finds done only what its own account has cancelled',
    file: 'application/order-entry/cancel-orders.ts',
    from: ' || order.code !== CANCELLED_BY_ACCOUNT) return outcome;',
    to: ') return outcome;',
    tests: ['test/runtime/workers/book/repeated-changes.test.ts'],
  },
];
