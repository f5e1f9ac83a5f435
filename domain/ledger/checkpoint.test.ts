import { describe, expect, it } from 'vitest';
import {
  ALICE,
  amendment,
  BOB,
  BOOK,
  FACTS,
  idAt,
  LedgerBench,
  lot,
  order,
  SHARES,
  START,
  storedPieces,
  USD,
} from './ledger.fixtures.ts';
import { Ledger } from './ledger.ts';

const MIB = 1 << 20;

/** A ledger with something of everything. */
function busyBench(): LedgerBench {
  const bench = new LedgerBench();
  bench.transfer('deposit', { amount: 1_000, cost: 7 });
  bench.depositLots(
    ALICE,
    lot({ id: `${idAt(1, 1)}.0`, quantity: 5, restrictionEndsAt: 5, offeringType: 'reg_d' }),
    lot({ id: `${idAt(1, 1)}.1`, quantity: 5, acquiredAt: START + 1 }),
  );
  bench.grant(ALICE, 'allowance', 100);
  const id = bench.admit({ side: 'sell', reserve: 7, clientOrderId: 'mine' });
  bench.facts({ account: BOB, facts: { ...FACTS, frozen: true } });
  bench.market({ makerFeeBps: 5 });
  bench.apply({ kind: 'revoke_keys', id: bench.id(), account: ALICE, keyIds: ['key'], createdAt: START });
  bench.facts({ cancelsOrders: true, expectedVersion: 2 });
  bench.apply({ kind: 'venue', id: bench.id(), halted: true, createdAt: START, event: null });
  bench.apply({ kind: 'venue', id: bench.id(), halted: false, createdAt: START, event: null });
  bench.send({
    orders: [order({ id: bench.id(), reserve: 5_000, factsVersion: 3, rulesVersion: 2 })],
    amendments: [
      amendment({ id: bench.id(), orderId: id, reserveAsset: SHARES, reserve: 2, factsVersion: 3, rulesVersion: 2 }),
    ],
  });
  return bench;
}

describe('a ledger restored from its checkpoint', () => {
  it('says the same', () => {
    const { ledger } = busyBench();
    const copy = Ledger.restore(storedPieces(ledger));
    expect(copy.stateHash()).toBe(ledger.stateHash());
    expect(copy.violations()).toEqual([]);
    expect(copy.size).toEqual(ledger.size);
    expect(copy.fence(BOOK)).toEqual(ledger.fence(BOOK));
    expect(copy.balances(ALICE)).toEqual(ledger.balances(ALICE));
    expect(copy.balances('boundary:deposits')).toEqual(ledger.balances('boundary:deposits'));
    expect(copy.lot(`${idAt(1, 1)}.0`)).toEqual(ledger.lot(`${idAt(1, 1)}.0`));
    expect(copy.reservations(BOOK)).toEqual(ledger.reservations(BOOK));
    expect(copy.openBooks(ALICE)).toEqual([BOOK]);
    expect(copy.pendingCancellations()).toEqual(ledger.pendingCancellations());
    expect(copy.pendingCancellations()).toHaveLength(2);
  });

  it('refuses for the same reasons', () => {
    const bench = busyBench();
    const known = bench.ledger.reservations(BOOK)[0]?.id as string;
    bench.restart();
    const versions = { factsVersion: 3, rulesVersion: 2 };
    expect(bench.refusalOf({ ...versions, id: known })?.refusal).toBe('exists');
    expect(bench.refusalOf({ ...versions, clientOrderId: 'mine' })).toMatchObject({ existingId: known });
    expect(bench.refusalOf({ ...versions, account: BOB })?.refusal).toBe('account_frozen');
    expect(bench.refusalOf({ ...versions, keyId: 'key' })?.refusal).toBe('key_revoked');
    expect(bench.refusalOf({ rulesVersion: 2 })?.refusal).toBe('stale');
    expect(bench.refusalOf({ factsVersion: 3 })?.refusal).toBe('stale');
    expect(bench.refusalOf({ ...versions, side: 'sell', reserve: 2 })).toMatchObject({ available: 1 });
    bench.apply({ kind: 'venue', id: bench.id(), halted: true, createdAt: START, event: null });
    bench.restart();
    expect(bench.refusalOf(versions)?.refusal).toBe('halted');
  });

  it('answers the last batch as before, and hands over what it admitted', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 100 });
    const id = bench.id();
    const batch = bench.batch({ orders: [order({ id, reserve: 10 }), order({ id: bench.id(), reserve: 1_000 })] });
    const outcome = bench.apply(batch);
    bench.restart();
    expect(bench.ledger.apply(batch, bench)).toEqual({ outcome, changed: false });
    const taken = bench.apply({ kind: 'own', book: BOOK, owner: 'second', previousOwner: 'first' });
    expect(taken).toMatchObject({ admitted: [{ id, reserve: 10 }] });
  });

  it('has nothing when nothing ever happened', () => {
    const ledger = new Ledger();
    const copy = Ledger.restore(storedPieces(ledger));
    expect(copy.stateHash()).toBe(ledger.stateHash());
    expect(copy.size).toEqual({
      accounts: 0,
      balances: 0,
      reservations: 0,
      amendments: 0,
      lots: 0,
      unsettled: 0,
    });
  });

  it('is made of pieces that are no larger than 1 MiB', () => {
    const bench = new LedgerBench();
    const orders = Array.from({ length: 15_000 }, (_, n) =>
      order({ id: bench.id(), clientOrderId: `client-order-${n}` }),
    );
    bench.send({ orders });
    const pieces = storedPieces(bench.ledger);
    for (const { data } of pieces) expect(data.length).toBeLessThanOrEqual(MIB);
    const copy = Ledger.restore(pieces);
    expect(copy.stateHash()).toBe(bench.ledger.stateHash());
    expect(copy.reservations(BOOK)).toHaveLength(15_000);
  });

  it('cannot be made of pieces that are not known, or of none', () => {
    const pieces = storedPieces(busyBench().ledger);
    expect(() => Ledger.restore([...pieces, { name: 'other.column', data: new Uint8Array() }])).toThrow('other.column');
    expect(() => Ledger.restore([...pieces, { name: 'lots.other', data: new Uint8Array() }])).toThrow('lots.other');
    expect(() => Ledger.restore([])).toThrow();
  });
});

describe('the hash of the state', () => {
  const changes: readonly [what: string, change: (bench: LedgerBench) => unknown][] = [
    ['a balance', (bench) => bench.transfer('deposit', { amount: 1 })],
    ['the cost of a balance', (bench) => bench.transfer('deposit', { amount: 0, cost: 1 })],
    ['a lot', (bench) => bench.depositLots(BOB, lot({ id: bench.id(), quantity: 1 }))],
    [
      'the restriction of a lot',
      (bench) => bench.depositLots(BOB, lot({ id: idAt(1, 9), quantity: 1, restrictionEndsAt: 3 })),
    ],
    [
      'the kind of a lot',
      (bench) => bench.depositLots(BOB, lot({ id: idAt(1, 9), quantity: 1, offeringType: 'reg_a' })),
    ],
    [
      'an order that holds nothing',
      (bench) => bench.send({ orders: [order({ id: bench.id(), factsVersion: 3, rulesVersion: 2 })] }),
    ],
    ['an id that is known', (bench) => bench.send({ orders: [order({ id: bench.id(), code: 'INVALID_PRICE' })] })],
    [
      'a client order id',
      (bench) => bench.send({ orders: [order({ id: idAt(1, 8), code: 'INVALID_PRICE', clientOrderId: 'c' })] }),
    ],
    ['the facts of an account', (bench) => bench.facts({ expectedVersion: 3 })],
    [
      'a revoked key',
      (bench) => bench.apply({ kind: 'revoke_keys', id: 'r', account: BOB, keyIds: ['other'], createdAt: 0 }),
    ],
    ['a market', (bench) => bench.market({}, 2)],
    ['the venue', (bench) => bench.apply({ kind: 'venue', id: 'v', halted: true, createdAt: 0, event: null })],
    ['a fence', (bench) => bench.send()],
    ['an owner', (bench) => bench.apply({ kind: 'own', book: BOOK, owner: 'second', previousOwner: 'first' })],
    ['a cancellation', (bench) => bench.facts({ expectedVersion: 3, cancelsOrders: true })],
  ];

  it('differs after every change', () => {
    const hashes = changes.map(([, change]) => {
      const bench = busyBench();
      change(bench);
      return bench.ledger.stateHash();
    });
    expect(new Set([...hashes, busyBench().ledger.stateHash()]).size).toBe(changes.length + 1);
  });

  it('is the same for equal ledgers, whatever was in between', () => {
    const [first, second] = [busyBench(), busyBench()];
    const before = first.ledger.stateHash();
    expect(before).toBe(second.ledger.stateHash());
    first.transfer('deposit', { amount: 5 });
    expect(first.ledger.stateHash()).not.toBe(before);
    first.apply({
      ...first.batch({ chunks: [] }),
      owner: 'nobody',
    });
    second.transfer('deposit', { amount: 5 });
    expect(first.ledger.stateHash()).toBe(second.ledger.stateHash());
    expect(first.ledger.balance(ALICE, USD).available).toBe(1_005);
  });
});
