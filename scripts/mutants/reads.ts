import type { Mutant } from './mutant.ts';

const SLICE_TESTS = ['test/runtime/data/orders/archive/slices.test.ts'];
const OPEN_TESTS = ['test/runtime/workers/book/open-orders.test.ts'];
const LEDGER_TESTS = ['domain/ledger/open-order.test.ts'];

const SETTLEMENT_TESTS = ['test/runtime/workers/exchange/settlement.test.ts'];
const OWN_TESTS = ['test/runtime/durable-objects/feed/own-account.test.ts'];

/** Rules of the archive of final orders, and of reads that do not go through D1. */
export const READ_MUTANTS: readonly Mutant[] = [
  {
    rule: 'own account: cash that waits to settle is told with the balance',
    file: 'durable-objects/ledger/ledger.ts',
    from: 'balance: (account, asset) => ledger.accountBalance(account, asset),',
    to: 'balance: (account, asset) => ({ asset, ...ledger.balance(account, asset) }),',
    tests: SETTLEMENT_TESTS,
  },
  {
    rule: 'archive: a step of before the read model was emptied does nothing',
    file: 'data/orders/archive/archive-step.ts',
    from: 'CASE WHEN generation = CAST(',
    to: 'CASE WHEN 0 < CAST(',
    tests: SLICE_TESTS,
  },
  {
    rule: 'archive: no step is taken while the read model is being emptied',
    file: 'data/orders/archive/archive-step.ts',
    from: 'AND NOT EXISTS (SELECT 1 FROM projections WHERE emptying = 1)',
    to: '',
    tests: SLICE_TESTS,
  },
  {
    rule: 'archive: a step that another one has overtaken announces nothing',
    file: 'data/orders/archive/archive-step.ts',
    from: 'WHERE EXISTS (SELECT 1 FROM order_archive',
    to: 'WHERE true OR EXISTS (SELECT 1 FROM order_archive',
    tests: SLICE_TESTS,
  },
  {
    rule: 'archive: a step lands only while its objects are announced',
    file: 'data/orders/archive/archive-step.ts',
    from: 'AND (SELECT count(*) FROM unreferenced_objects',
    to: 'AND 0 <= (SELECT count(*) FROM unreferenced_objects',
    tests: SLICE_TESTS,
  },
  {
    rule: 'archive: an object is written before a slice names it',
    file: 'data/orders/archive/archive-step.ts',
    from: '  for (const slice of written) await writeSlice(archive, slice);\n',
    to: '',
    tests: SLICE_TESTS,
  },
  {
    rule: 'archive: an archived order that has traded keeps what its trades need',
    file: 'data/orders/archive/archive-step.ts',
    from: 'AND filled > 0',
    to: 'AND filled < 0',
    tests: SLICE_TESTS,
  },
  {
    rule: 'archive: orders join the slice among whose ids they are',
    file: 'data/orders/archive/archive-step.ts',
    from: 'if (having !== undefined) return',
    to: 'if (having === undefined && next !== undefined) return',
    tests: SLICE_TESTS,
  },
  {
    rule: 'archive: an object is what was written',
    file: 'data/orders/archive/order-slice.ts',
    from: 'if (sha256(text) !== slice.hash)',
    to: 'if (text === slice.hash)',
    tests: SLICE_TESTS,
  },
  {
    rule: 'archive: a page ends where no object was read',
    file: 'data/orders/archive/order-page.ts',
    from: 'reached === null || id >= reached',
    to: 'true',
    tests: SLICE_TESTS,
  },
  {
    rule: 'archive: an emptied read model begins a new generation',
    file: 'data/ledger/projection/empty-read-model.ts',
    from: 'generation = generation + 1, ',
    to: '',
    tests: SLICE_TESTS,
  },
  {
    rule: "reads: an open order is its own account's",
    file: 'domain/ledger/ledger.ts',
    from: "kind !== 'order' || holder !== balances.accounts.find(account)",
    to: "kind !== 'order'",
    tests: LEDGER_TESTS,
  },
  {
    rule: 'reads: orders go by what was read five minutes ago at most',
    file: 'application/order-entry/checks/instrument-cache.ts',
    from: 'reread || now - known.readAt >= FRESH_WITHOUT_D1_MS',
    to: 'reread',
    tests: OPEN_TESTS,
  },
  {
    rule: 'own account: who follows it has a credential that may read it',
    file: 'durable-objects/fan-out/hub.ts',
    from: 'if (isOwn && account === null) {',
    to: 'if (isOwn && caller.identity === null) {',
    tests: OWN_TESTS,
  },
  {
    rule: 'feeds: what becomes an offering under 506(b) ends for who may not see it',
    file: 'durable-objects/fan-out/hub.ts',
    from: 'this.#conceal(clients),',
    to: '',
    tests: ['test/runtime/durable-objects/feed/feeds.test.ts'],
  },
  {
    rule: 'feeds: a connection ends with the signing key of its token',
    file: 'durable-objects/fan-out/identity.ts',
    from: ' || !(await isPublished(credential.signedBy, env))',
    to: '',
    tests: ['test/runtime/durable-objects/feed/credential-changes.test.ts'],
  },
  {
    rule: 'an ended order is known on its own symbol alone',
    file: 'application/order-entry/cancel-orders.ts',
    from: 'if (symbol === null || location.symbol === symbol)',
    to: '',
    tests: ['test/runtime/workers/book/manage-orders.test.ts'],
  },
];
