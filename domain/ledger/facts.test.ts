import { describe, expect, it } from 'vitest';
import { ALICE, BOB, BOOK, FACTS, LedgerBench, move, orderState, START, USD } from './ledger.fixtures.ts';

const LIMIT = 'allowance:reg_cf';

/** Alice has an order open in each of two books, Bob has none. */
function benchWithOrders(): { readonly bench: LedgerBench; readonly ids: readonly [string, string] } {
  const bench = new LedgerBench();
  bench.transfer('deposit', { amount: 100 });
  bench.apply({ kind: 'own', book: 'ZINC-USD', owner: 'zinc', previousOwner: '' });
  const first = bench.admit({ reserve: 1 });
  const second = bench.id();
  bench.send({ book: 'ZINC-USD', orders: [{ ...zincOrder(second), reserve: 1 }] });
  return { bench, ids: [first, second] };
}

function zincOrder(id: string) {
  return {
    id,
    account: ALICE,
    owner: 'org',
    keyId: null,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 1,
    price: 1,
    stopPrice: null,
    expiresAt: null,
    clientOrderId: null,
    status: 'open',
    reserveAsset: USD,
    reserve: 1,
    allowanceAsset: null,
    allowance: 0,
    positionAsset: null,
    position: 0,
    factsVersion: 1,
    rulesVersion: 1,
    createdAt: START,
    code: null,
    daily: null,
  } as const;
}

describe('a change of facts', () => {
  it('raises the version of its account by one, from the version that it was worked out from', () => {
    const bench = new LedgerBench();
    expect(bench.facts({ facts: FACTS })).toEqual({ type: 'done', version: 2, cancelIn: [] });
    expect(bench.facts({ expectedVersion: 1 })).toEqual({ type: 'stale', version: 2 });
    expect(bench.facts({ expectedVersion: 2 })).toEqual({ type: 'done', version: 3, cancelIn: [] });
    expect(bench.facts({ account: BOB })).toMatchObject({ version: 2 });
  });

  it('under which open orders hold more of an allowance than they may cancels the buys that draw on it', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 100 });
    bench.grant(ALICE, LIMIT, 50);
    bench.apply({ kind: 'own', book: 'ZINC-USD', owner: 'zinc', previousOwner: '' });
    bench.send({ book: 'ZINC-USD', owner: 'zinc', orders: [{ ...zincOrder(bench.id()), reserve: 1 }] });
    bench.admit({ reserve: 40, allowanceAsset: LIMIT, allowance: 40 });
    const ceiling = { asset: LIMIT, heldMax: 40, available: 10, held: 40 };
    expect(bench.facts({ ceiling })).toEqual({ type: 'done', version: 2, cancelIn: [] });
    // Another fill or order since then: it is to be worked out again.
    expect(bench.facts({ expectedVersion: 2, ceiling: { ...ceiling, held: 39 } })).toEqual({
      type: 'stale',
      version: 2,
    });
    const id = bench.id();
    const lower = { ...ceiling, heldMax: 39 };
    expect(bench.facts({ id, expectedVersion: 2, ceiling: lower })).toEqual({
      type: 'done',
      version: 3,
      cancelIn: [BOOK],
    });
    expect(bench.ledger.pendingCancellations()).toEqual([
      { id, account: ALICE, keyIds: null, side: 'buy', books: [BOOK] },
    ]);
  });

  it('that gives no facts leaves the account frozen, or not', () => {
    const bench = new LedgerBench();
    bench.facts();
    expect(bench.refusalOf({ factsVersion: 2 })).toBeNull();
    bench.facts({ expectedVersion: 2, facts: { ...FACTS, frozen: true } });
    bench.facts({ expectedVersion: 3 });
    expect(bench.refusalOf({ factsVersion: 4 })?.refusal).toBe('account_frozen');
  });

  it('names the books that must cancel, if it asks for that', () => {
    const { bench } = benchWithOrders();
    expect(bench.facts({ cancelsOrders: false })).toMatchObject({ cancelIn: [] });
    expect(bench.ledger.pendingCancellations()).toEqual([]);
    const id = bench.id();
    expect(bench.facts({ id, expectedVersion: 2, cancelsOrders: true })).toMatchObject({
      cancelIn: [BOOK, 'ZINC-USD'],
    });
    expect(bench.ledger.pendingCancellations()).toEqual([
      { id, account: ALICE, keyIds: null, books: [BOOK, 'ZINC-USD'] },
    ]);
    expect(bench.facts({ account: BOB, cancelsOrders: true })).toMatchObject({ cancelIn: [] });
    expect(bench.ledger.pendingCancellations()).toHaveLength(1);
  });
});

describe('a family relation', () => {
  const ended = { type: 'ended', reason: 'divorced', by: 'operator' } as const;

  it('raises the versions of both accounts by one, from those that it was worked out from', () => {
    const bench = new LedgerBench();
    bench.facts({ account: BOB });
    expect(bench.family()).toEqual({ type: 'stale' });
    expect(bench.family({ expectedVersion: 2, expectedRelativeVersion: 2 })).toEqual({ type: 'stale' });
    const done = { type: 'done', version: 2, relativeVersion: 3, cancelIn: [] };
    expect(bench.family({ expectedRelativeVersion: 2 })).toEqual(done);
    expect(bench.refusalOf({ account: ALICE, factsVersion: 1 })?.refusal).toBe('stale');
    expect(bench.refusalOf({ account: BOB, factsVersion: 2 })?.refusal).toBe('stale');
  });

  it('leaves a freeze as it is', () => {
    const bench = new LedgerBench();
    bench.facts({ account: BOB, facts: { ...FACTS, frozen: true } });
    bench.family({ expectedRelativeVersion: 2 });
    expect(bench.refusalOf({ account: BOB, factsVersion: 3 })?.refusal).toBe('account_frozen');
  });

  it('that ends names the books of both, for the orders that carry the other; one that begins names none', () => {
    const { bench } = benchWithOrders();
    expect(bench.family()).toMatchObject({ type: 'done', cancelIn: [] });
    expect(bench.ledger.pendingCancellations()).toEqual([]);
    const id = bench.id();
    const versions = { expectedVersion: 2, expectedRelativeVersion: 2 };
    const books = [BOOK, 'ZINC-USD'];
    expect(bench.family({ id, ...versions, account: BOB, relative: ALICE, change: ended })).toMatchObject({
      cancelIn: books,
    });
    const pending = [{ id, account: BOB, keyIds: null, relative: ALICE, books }];
    expect(bench.ledger.pendingCancellations()).toEqual(pending);
    bench.restart();
    expect(bench.ledger.pendingCancellations()).toEqual(pending);
  });
});

describe('a revocation of keys', () => {
  it('names the books of the account, and whose orders they must cancel', () => {
    const { bench } = benchWithOrders();
    const id = bench.id();
    const revocation = { kind: 'revoke_keys', id, account: ALICE, keyIds: ['k1', 'k2'], createdAt: START } as const;
    expect(bench.apply(revocation)).toEqual({ type: 'done', version: 2, cancelIn: [BOOK, 'ZINC-USD'] });
    expect(bench.ledger.pendingCancellations()).toEqual([
      { id, account: ALICE, keyIds: ['k1', 'k2'], books: [BOOK, 'ZINC-USD'] },
    ]);
    expect(bench.refusalOf({ keyId: 'k2' })?.refusal).toBe('key_revoked');
  });
});

describe('a cancellation', () => {
  it('is kept until each of its books has confirmed it', () => {
    const { bench } = benchWithOrders();
    const id = bench.id();
    bench.facts({ id, cancelsOrders: true });
    const confirm = (book: string) => bench.ledger.apply({ kind: 'cancelled', id, book }, bench);
    expect(confirm('OTHER-USD')).toEqual({ outcome: { type: 'exists' }, changed: false });
    expect(confirm(BOOK)).toEqual({ outcome: { type: 'done' }, changed: true });
    expect(bench.ledger.pendingCancellations()).toMatchObject([{ id, books: ['ZINC-USD'] }]);
    expect(confirm(BOOK)).toEqual({ outcome: { type: 'exists' }, changed: false });
    expect(confirm('ZINC-USD')).toEqual({ outcome: { type: 'done' }, changed: true });
    expect(bench.ledger.pendingCancellations()).toEqual([]);
    expect(confirm('ZINC-USD')).toEqual({ outcome: { type: 'exists' }, changed: false });
  });

  it('is not asked of a book in which nothing is open any more', () => {
    const { bench, ids } = benchWithOrders();
    bench.settle({ orders: [orderState({ id: ids[0] })], balances: [move(ALICE, USD, 1)] });
    expect(bench.ledger.openBooks(ALICE)).toEqual(['ZINC-USD']);
    expect(bench.ledger.openBooks(BOB)).toEqual([]);
    expect(bench.facts({ cancelsOrders: true })).toMatchObject({ cancelIn: ['ZINC-USD'] });
  });
});

describe('a change of a market', () => {
  it('raises the version of its rules by one, from the version that it was worked out from', () => {
    const bench = new LedgerBench();
    expect(bench.market({}, 2)).toEqual({ type: 'stale', version: 1 });
    expect(bench.market({ status: 'halted' })).toEqual({ type: 'done', version: 2, cancelIn: [] });
    expect(bench.market({ status: 'open' })).toEqual({ type: 'stale', version: 2 });
    expect(bench.refusalOf({ rulesVersion: 2 })?.refusal).toBe('halted');
    expect(bench.market({ status: 'open' }, 2)).toMatchObject({ version: 3 });
  });

  it('concerns no other market', () => {
    const { bench } = benchWithOrders();
    bench.market({ status: 'halted' });
    expect(bench.send({ book: 'ZINC-USD', orders: [zincOrder(bench.id())] }).refused).toEqual([]);
  });
});

describe('an order that order entry has refused', () => {
  const rejected = (bench: LedgerBench, id: string, clientOrderId: string | null = null) =>
    bench.ledger.apply(
      {
        kind: 'rejected_order',
        order: { ...zincOrder(id), clientOrderId, book: null, assetId: 'zinc', preIpo: false, code: 'INVALID_PRICE' },
      },
      bench,
    );

  it('is kept once, and its id is known from then on', () => {
    const bench = new LedgerBench();
    const id = bench.id();
    expect(rejected(bench, id)).toEqual({ outcome: { type: 'done' }, changed: true });
    expect(rejected(bench, id)).toEqual({ outcome: { type: 'exists' }, changed: false });
    expect(bench.refusalOf({ id })?.refusal).toBe('exists');
    expect(bench.ledger.size.reservations).toBe(0);
  });

  it('is not kept under the id of an order that was admitted', () => {
    const bench = new LedgerBench();
    const id = bench.admit({});
    expect(rejected(bench, id)).toEqual({ outcome: { type: 'exists' }, changed: false });
  });

  it('takes its client order id, unless another order carries that', () => {
    const bench = new LedgerBench();
    const [first, second] = [bench.id(), bench.id()];
    rejected(bench, first, 'mine');
    rejected(bench, second, 'mine');
    expect(bench.refusalOf({ clientOrderId: 'mine' })).toMatchObject({
      refusal: 'duplicate_client_order_id',
      existingId: first,
    });
  });
});
