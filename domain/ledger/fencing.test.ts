import { describe, expect, it } from 'vitest';
import { ALICE, BOOK, chunk, LedgerBench, lot, move, order, orderState, SHARES, USD } from './ledger.fixtures.ts';

describe('the fence of a book', () => {
  it('moves by one with every batch, and to the sequence that the batch settles', () => {
    const bench = new LedgerBench();
    bench.send({ settledTo: 7 });
    expect(bench.ledger.fence(BOOK)).toEqual({ owner: 'first', batch: 1, settled: 7 });
  });

  it.each([
    ['another owner', { owner: 'second' }],
    ['a number that is not the next', { batch: 3 }],
    ['a number that has landed long ago', { batch: 0 }],
    ['another settled sequence', { settledFrom: 1 }],
  ])('refuses a batch of %s whole', (_, terms) => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 1_000 });
    bench.send();
    const hash = bench.ledger.stateHash();
    const batch = bench.batch({ orders: [order({ id: bench.id(), reserve: 10 })], ...terms });
    expect(bench.ledger.apply(batch, bench)).toEqual({
      outcome: { type: 'fenced', owner: 'first', batch: 1, settled: 0 },
      changed: false,
    });
    expect(bench.ledger.stateHash()).toBe(hash);
    expect(bench.ledger.balance(ALICE, USD).held).toBe(0);
  });

  it('is at its beginning for a book that it has never heard of, and asking changes nothing', () => {
    const { ledger, time, backlogged, ...bench } = new LedgerBench();
    const hash = ledger.stateHash();
    const nothing = { owner: '', batch: 0, settled: 0 };
    expect(ledger.fence('OTHER-USD')).toEqual(nothing);
    const batch = new LedgerBench().batch({ book: 'OTHER-USD', owner: 'first' });
    expect(ledger.apply(batch, { time, backlogged })).toEqual({
      outcome: { type: 'fenced', ...nothing },
      changed: false,
    });
    const own = { kind: 'own', book: 'OTHER-USD', owner: 'second', previousOwner: 'first' } as const;
    expect(ledger.apply(own, { time, backlogged })).toEqual({
      outcome: { type: 'fenced', ...nothing },
      changed: false,
    });
    expect(ledger.stateHash()).toBe(hash);
    expect(bench).toBeDefined();
  });

  it('answers the batch that landed last as before, and changes nothing', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 1_000 });
    const [first, second] = [bench.id(), bench.id()];
    const batch = bench.batch({
      orders: [order({ id: first, reserve: 900 }), order({ id: second, reserve: 900 })],
    });
    const outcome = bench.apply(batch);
    expect(outcome).toEqual({
      type: 'landed',
      refused: [{ id: second, refusal: 'balance', available: 100, required: 0, existingId: null }],
      lots: [],
    });
    const hash = bench.ledger.stateHash();
    expect(bench.ledger.apply(batch, bench)).toEqual({ outcome, changed: false });
    expect(bench.ledger.stateHash()).toBe(hash);
    expect(bench.ledger.balance(ALICE, USD)).toEqual({ available: 100, held: 900, cost: 0 });
  });

  it('answers the batch that landed last to its owner alone', () => {
    const bench = new LedgerBench();
    const batch = bench.batch();
    bench.apply(batch);
    expect(bench.apply({ ...batch, owner: 'another' })).toMatchObject({ type: 'fenced', owner: 'first' });
  });

  it('settles the effects of a batch before it admits its orders', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 1_000 });
    const id = bench.admit({ reserve: 1_000 });
    const cancel = chunk({ orders: [orderState({ id })], balances: [move(ALICE, USD, 1_000)] });
    expect(bench.send({ chunks: [cancel], orders: [order({ id: bench.id(), reserve: 1_000 })] }).refused).toEqual([]);
  });
});

describe('the ownership of a book', () => {
  const take = (owner: string, previousOwner: string, book = BOOK) =>
    ({ kind: 'own', book, owner, previousOwner }) as const;
  const RULES = { market: { version: 1, status: 'open' }, venueHalted: false } as const;

  it('comes with the rules that admission goes by', () => {
    const bench = new LedgerBench();
    const rules = {
      status: 'halted',
      quantityMin: 1,
      quantityMax: 10,
      makerFeeBps: 0,
      takerFeeBps: 0,
      bandBps: 0,
      bandHaltSeconds: 0,
      referencePrice: null,
    } as const;
    const change = { id: bench.id(), symbol: BOOK, expectedVersion: 1, rules, createdAt: 0, event: null } as const;
    bench.apply({ kind: 'market', ...change });
    bench.apply({ kind: 'venue', id: bench.id(), halted: true, createdAt: 0, event: null });
    expect(bench.apply(take('second', 'first'))).toMatchObject({
      market: { version: 2, status: 'halted' },
      venueHalted: true,
    });
  });

  it('is taken from the owner that was read, and from no other', () => {
    const bench = new LedgerBench();
    expect(bench.apply(take('third', 'second'))).toEqual({ type: 'fenced', owner: 'first', batch: 0, settled: 0 });
    expect(bench.ledger.fence(BOOK).owner).toBe('first');
    expect(bench.apply(take('second', 'first'))).toEqual({
      type: 'taken',
      batch: 0,
      settled: 0,
      admitted: [],
      ...RULES,
    });
    expect(bench.ledger.fence(BOOK).owner).toBe('second');
  });

  it('is answered again to an owner that asks again, and changes nothing', () => {
    const bench = new LedgerBench();
    bench.apply(take('second', 'first'));
    const again = bench.ledger.apply(take('second', 'first'), bench);
    expect(again).toEqual({ outcome: { type: 'taken', batch: 0, settled: 0, admitted: [], ...RULES }, changed: false });
  });

  it('leaves the old owner fenced, also for the batch that landed last: it is not answered as before', () => {
    const bench = new LedgerBench();
    const landed = bench.batch();
    bench.apply(landed);
    const next = bench.batch();
    bench.apply(take('second', 'first'));
    const fenced = { type: 'fenced', owner: 'second', batch: 1, settled: 0 };
    expect(bench.apply(landed)).toEqual(fenced);
    expect(bench.apply(next)).toEqual(fenced);
    expect(bench.apply({ ...landed, owner: 'second' })).toEqual(fenced);
    bench.apply(take('first', 'second'));
    expect(bench.apply(landed)).toEqual({ type: 'fenced', owner: 'first', batch: 1, settled: 0 });
  });

  it('hands over what the last batch admitted and still holds, with its lots', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 1_000 });
    bench.grant(ALICE, 'allowance', 100);
    bench.grant(ALICE, 'position', 100);
    bench.depositLots(ALICE, lot({ id: bench.id(), quantity: 5 }), lot({ id: bench.id(), quantity: 5 }));
    const [before, buy, sell, refused] = [bench.id(), bench.id(), bench.id(), bench.id()];
    bench.admit({ id: before, reserve: 1 });
    const { lots } = bench.send({
      orders: [
        order({ id: refused, reserve: 2_000 }),
        order({
          id: buy,
          reserve: 300,
          allowanceAsset: 'allowance',
          allowance: 30,
          positionAsset: 'position',
          position: 3,
          quantity: 3,
          price: 100,
        }),
      ],
      amendments: [
        {
          id: sell,
          orderId: before,
          account: ALICE,
          reserveAsset: SHARES,
          reserve: 7,
          allowanceAsset: null,
          allowance: 0,
          positionAsset: null,
          position: 0,
          exposure: { notional: 0, quantity: 0, proceeds: 0 },
          limitedKey: null,
          factsVersion: 1,
          rulesVersion: 1,
          createdAt: 0,
        },
      ],
    });
    expect(bench.apply(take('second', 'first'))).toEqual({
      ...RULES,
      type: 'taken',
      batch: 2,
      settled: 0,
      admitted: [
        {
          kind: 'order',
          id: buy,
          account: ALICE,
          reserveAsset: USD,
          reserve: 300,
          allowanceAsset: 'allowance',
          allowance: 30,
          positionAsset: 'position',
          position: 3,
          quantity: 3,
          price: 100,
          lots: [],
        },
        {
          kind: 'amendment',
          id: sell,
          account: ALICE,
          reserveAsset: SHARES,
          reserve: 7,
          allowanceAsset: null,
          allowance: 0,
          positionAsset: null,
          position: 0,
          quantity: 0,
          price: null,
          lots: lots.map(({ lotId, quantity }) => ({ lotId, quantity })),
        },
      ],
    });
    expect(lots.map(({ quantity }) => quantity)).toEqual([5, 2]);
  });

  it('hands over nothing of an earlier batch', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 1_000 });
    bench.admit({ reserve: 100 });
    bench.send();
    expect(bench.apply(take('second', 'first'))).toMatchObject({ batch: 2, admitted: [] });
  });
});
