import { describe, expect, it } from 'vitest';
import {
  ALICE,
  amendment,
  BOB,
  BOOK,
  idAt,
  LedgerBench,
  lot,
  lotMove,
  move,
  order,
  orderState,
  SHARES,
  START,
  USD,
} from './ledger.fixtures.ts';
import { LEDGER_LIMITS } from './ledger-limits.ts';
import type { RefusedAdmission } from './outcomes.ts';

const OTHER_BOOK = 'ZINC-USD';
/** Nobody has more than one of these. */
const others = (count: number) => Array.from({ length: count }, (_, n) => idAt(0, 100 + n));

/** Places orders of an account until one is refused. */
function placeAll(bench: LedgerBench, account: string, book = BOOK): { placed: number; refused: RefusedAdmission } {
  for (let placed = 0; ; placed++) {
    const refused = bench.send({ book, orders: [order({ id: bench.id(), account })] }).refused[0];
    if (refused !== undefined) return { placed, refused };
  }
}

/** Lots of one share each. */
function depositLots(bench: LedgerBench, account: string, count: number): string[] {
  const ids = Array.from({ length: count }, () => bench.id());
  bench.depositLots(account, ...ids.map((id, n) => lot({ id, account, quantity: 1, acquiredAt: START + n })));
  return ids;
}

describe('open orders of one account', () => {
  it('are so many at most over all books, and as many again when one has ended', () => {
    const bench = new LedgerBench({ reservationsPerAccountMax: 3 });
    bench.apply({ kind: 'own', book: OTHER_BOOK, owner: 'zinc', previousOwner: '' });
    const id = bench.admit({});
    bench.admit({});
    expect(placeAll(bench, ALICE, OTHER_BOOK)).toMatchObject({
      placed: 1,
      refused: { refusal: 'account_orders', available: 3 },
    });
    expect(bench.refusalOf({ account: BOB })).toBeNull();
    bench.settle({ orders: [orderState({ id })] });
    expect(placeAll(bench, ALICE).placed).toBe(1);
  });

  it('are never more than are still free: a few accounts leave the others room', () => {
    const bench = new LedgerBench({ reservationsMax: 60 });
    const placed = [ALICE, BOB, ...others(1)].map((account) => placeAll(bench, account).placed);
    expect(placed[0]).toBe(30);
    expect(bench.ledger.size.reservations).toBeLessThan(60 - 60 / 16);
    expect(bench.refusalOf({ account: idAt(0, 999) })).toBeNull();
    expect(bench.refusalOf({})).toMatchObject({ refusal: 'account_orders' });
  });

  it('leave room to the tenth that takes all it can, with the limits of a shard', () => {
    const { reservationsMax, reservationsPerAccountMax, lotsMax, lotsHeldPerAccountMax } = LEDGER_LIMITS;
    const taken = (max: number, perAccount: number): number => {
      let free = max;
      for (let account = 0; account < 9; account++) free -= Math.min(perAccount, Math.floor(free / 2));
      return free;
    };
    expect(taken(reservationsMax, reservationsPerAccountMax)).toBeGreaterThan(2_000);
    expect(taken(lotsMax, lotsHeldPerAccountMax)).toBeGreaterThan(2_000);
  });

  it('are counted again from a checkpoint', () => {
    const bench = new LedgerBench({ reservationsPerAccountMax: 2, lotsHeldPerAccountMax: 2 });
    const id = bench.admit({});
    bench.admit({});
    depositLots(bench, BOB, 2);
    bench.restart();
    expect(bench.refusalOf({})?.refusal).toBe('account_orders');
    expect(bench.refusalOf({ account: BOB })?.refusal).toBe('account_lots');
    bench.settle({ orders: [orderState({ id })] });
    expect(bench.refusalOf({})).toBeNull();
  });

  it('count amendments on their way', () => {
    const bench = new LedgerBench({ reservationsPerAccountMax: 2 });
    const orderId = bench.admit({});
    const amend = () =>
      bench.send({ amendments: [amendment({ id: bench.id(), orderId })] }).refused[0]?.refusal ?? null;
    expect(amend()).toBeNull();
    expect(amend()).toBe('account_orders');
  });
});

describe('lots of one account', () => {
  it('are so many at most when it buys; it still sells, and what it sells makes room', () => {
    const bench = new LedgerBench({ lotsHeldPerAccountMax: 3 });
    const lots = depositLots(bench, ALICE, 3);
    expect(bench.refusalOf({})).toMatchObject({ refusal: 'account_lots', available: 3 });
    expect(bench.refusalOf({ account: BOB })).toBeNull();
    const sell = bench.admit({ side: 'sell', reserve: 1 });
    expect(bench.refusalOf({})?.refusal).toBe('account_lots');
    bench.transfer('deposit', { account: BOB, amount: 5 });
    const buy = bench.admit({ account: BOB, reserve: 5 });
    bench.settle({
      orders: [orderState({ id: sell, status: 'filled' }), orderState({ id: buy, status: 'filled' })],
      balances: [move(ALICE, USD, 5), move(ALICE, SHARES, 0, { sold: 1 }), move(BOB, USD, 0), move(BOB, SHARES, 1)],
      lotMoves: [lotMove(sell, lots[0] as string, { consumed: 1 })],
      lots: [lot({ id: bench.id(), account: BOB, quantity: 1 })],
    });
    expect(bench.refusalOf({})).toBeNull();
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('are never more than are still free', () => {
    const bench = new LedgerBench({ lotsMax: 10 });
    depositLots(bench, ALICE, 5);
    expect(bench.refusalOf({})).toMatchObject({ refusal: 'account_lots', available: 5 });
    depositLots(bench, BOB, 1);
    expect(bench.refusalOf({ account: BOB })).toBeNull();
  });

  it('bind no buyer of what is kept in none', () => {
    const bench = new LedgerBench({ lotsHeldPerAccountMax: 1 });
    depositLots(bench, ALICE, 1);
    expect(bench.send({ tracksLots: false, orders: [order({ id: bench.id() })] }).refused).toEqual([]);
  });
});

describe('a full shard', () => {
  it('still takes sales, up to a bound of their own, and nothing else', () => {
    const bench = new LedgerBench({ lotsMax: 4, roomForSales: 2 });
    for (const account of [ALICE, BOB]) depositLots(bench, account, 2);
    expect(bench.refusalOf({ account: others(1)[0] as string })?.refusal).toBe('ledger_full');
    expect(bench.refusalOf({ side: 'sell', reserve: 1 })).toBeNull();
    depositBeyond(bench, 2);
    expect(bench.refusalOf({ side: 'sell', reserve: 1 })?.refusal).toBe('ledger_full');
  });

  it('takes sales beyond its reservations, so many', () => {
    const bench = new LedgerBench({ reservationsMax: 3, roomForSales: 1 });
    depositLots(bench, ALICE, 2);
    for (const account of others(3)) bench.admit({ account });
    expect(bench.refusalOf({ account: BOB })?.refusal).toBe('ledger_full');
    expect(bench.refusalOf({ side: 'sell', reserve: 1 })).toBeNull();
    expect(bench.refusalOf({ side: 'sell', reserve: 1 })?.refusal).toBe('ledger_full');
  });

  it('of balances takes orders that open none', () => {
    const bench = new LedgerBench({ balancesMax: 5 });
    bench.transfer('deposit', { amount: 100 });
    depositLots(bench, ALICE, 1);
    bench.transfer('deposit', { account: BOB, amount: 100 });
    expect(bench.ledger.size.balances).toBe(5);
    expect(bench.refusalOf({ account: BOB, reserve: 1 })?.refusal).toBe('ledger_full');
    expect(bench.refusalOf({ reserve: 1 })).toBeNull();
    expect(bench.refusalOf({ side: 'sell', reserve: 1 })).toBeNull();
    expect(bench.ledger.size.balances).toBe(5);
  });

  /** What settles while a shard is full goes beyond it: here lots of a buyer. */
  function depositBeyond(bench: LedgerBench, count: number): void {
    bench.settle({
      balances: [move(BOB, SHARES, count), move('boundary:deposits', SHARES, -count)],
      lots: Array.from({ length: count }, () => lot({ id: bench.id(), account: BOB, quantity: 1 })),
    });
  }
});

describe('M-03: what is guaranteed to an account', () => {
  it('are balances: what others have opened leaves it a few', () => {
    const bench = new LedgerBench({ balancesMax: 20, balancesForGuaranteed: 10, balancesGuaranteedPerAccount: 2 });
    const opened = (account: string): number => {
      for (let count = 0; ; count++)
        if (bench.transfer('deposit', { account, asset: `asset-${count}`, amount: 1 }).type !== 'done') return count;
    };
    expect(opened(ALICE)).toBeLessThanOrEqual(5);
    for (const account of others(3)) expect(opened(account)).toBeGreaterThanOrEqual(2);
    expect(opened(BOB)).toBe(2);
  });

  it('are API keys under daily limits', () => {
    const bench = new LedgerBench({
      limitedKeysMax: 10,
      limitedKeysForGuaranteed: 5,
      limitedKeysGuaranteedPerAccount: 2,
    });
    const daily = { notionalMax: 100, lossMax: null, notional: 0, quantity: 0, proceeds: 0 };
    const placed = (account: string): number => {
      for (let count = 0; ; count++)
        if (bench.refusalOf({ account, keyId: `${account} ${count}`, daily }) !== null) return count;
    };
    expect(placed(ALICE)).toBe(5);
    expect(bench.refusalOf({ keyId: 'another', daily })).toMatchObject({ refusal: 'account_keys', available: 2 });
    expect([placed(BOB), placed(others(1)[0] as string)]).toEqual([2, 2]);
  });
});
