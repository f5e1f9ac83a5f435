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

/** A hundredth of a shard: 20 owners at their sure 25, then 40 at 5, then 50 at 1. */
const SMALL = {
  reservationsMax: 1_500,
  reservationsForGuaranteed: 750,
  reservationsGuaranteedPerAccount: 25,
  reservationsForFew: 250,
  reservationsGuaranteedOfFew: 5,
  reservationsForFewest: 50,
  reservationsGuaranteedOfFewest: 1,
  reservationsPerAccountMax: 150,
  reservationsPerPartnerMax: 300,
  partnerShare: 10,
} as const;

/** So many places of a shard are taken by accounts that have one each. */
function takeUp(bench: LedgerBench, count: number): void {
  const orders = Array.from({ length: count }, (_, n) => order({ id: bench.id(), account: idAt(0, 50_000 + n) }));
  expect(bench.send({ orders }).refused).toEqual([]);
}

/** Places orders of an account of an investor until one is refused. */
function placeAllOf(bench: LedgerBench, account: string, investor: string, partner = 'partner') {
  for (let placed = 0; ; placed++) {
    const refused = bench.refusalOf({ account, investor, owner: partner });
    if (refused !== null) return { placed, refused };
  }
}

describe('open orders of one who has several accounts', () => {
  it('are no more than those of one account', () => {
    const bench = new LedgerBench(SMALL);
    const accounts = others(10);
    const first = placeAllOf(bench, accounts[0] as string, 'investor');
    expect(first).toMatchObject({
      placed: 150,
      refused: { refusal: 'account_orders', of: 'investor', available: 150 },
    });
    for (const account of accounts.slice(1)) expect(placeAllOf(bench, account, 'investor').placed).toBe(0);
    expect(placeAllOf(bench, ALICE, 'another', 'another partner').placed).toBe(150);
    expect(bench.refusalOf({ account: BOB }), 'who has one account').toBeNull();
  });

  it('are sure in number once, and never those of others', () => {
    const bench = new LedgerBench(SMALL);
    takeUp(bench, 800);
    const placed = others(10).map((account) => placeAllOf(bench, account, 'investor').placed);
    expect(placed).toEqual([25, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(placeAll(bench, BOB).placed).toBe(25);
  });

  it('of an account that stood for itself count once an order says whose it is, and when one of them ends it makes room', () => {
    const bench = new LedgerBench(SMALL);
    takeUp(bench, 800);
    const [one, other] = others(2) as [string, string];
    const ids = Array.from({ length: 20 }, () => bench.admit({ account: one }));
    expect(placeAllOf(bench, other, 'investor').placed, 'nobody knows yet').toBe(25);
    expect(bench.refusalOf({ account: one, investor: 'investor' })).toMatchObject({ of: 'investor', available: 25 });
    bench.restart();
    expect(bench.refusalOf({ account: other })).toMatchObject({ of: 'investor', available: 25 });
    for (const id of ids) bench.settle({ orders: [orderState({ id })] });
    expect(bench.refusalOf({ account: one })).toMatchObject({ of: 'investor', available: 25 });
    bench.settle({ orders: [orderState({ id: bench.ledger.openOrderIds(other)[0] as string })] });
    expect(bench.refusalOf({ account: one })).toBeNull();
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('an account keeps the owner that it was first said to have', () => {
    const bench = new LedgerBench(SMALL);
    takeUp(bench, 800);
    expect(placeAllOf(bench, ALICE, 'investor').placed).toBe(25);
    expect(bench.refusalOf({ investor: 'another', owner: 'another partner' })).toMatchObject({ of: 'investor' });
    expect(bench.refusalOf({})).toMatchObject({ of: 'investor' });
  });

  it('lots of all accounts count for a purchase', () => {
    const bench = new LedgerBench({ lotsHeldPerAccountMax: 3 });
    const [one, other] = others(2) as [string, string];
    for (const account of [one, other]) expect(bench.refusalOf({ account, investor: 'investor' })).toBeNull();
    depositLots(bench, one, 2);
    expect(bench.refusalOf({ account: other })).toBeNull();
    depositLots(bench, other, 1);
    expect(bench.refusalOf({ account: one })).toMatchObject({ refusal: 'account_lots', of: 'investor', available: 3 });
    bench.restart();
    expect(bench.refusalOf({ account: one })).toMatchObject({ refusal: 'account_lots', of: 'investor', available: 3 });
    bench.transfer('withdrawal', { account: other, asset: SHARES, amount: 1 });
    expect(bench.refusalOf({ account: one })).toBeNull();
  });
});

describe('open orders of all investors of one partner', () => {
  it('end at a bound of their own, and are sure together of ten times what one is sure of', () => {
    const bench = new LedgerBench(SMALL);
    const flood = (partner: string, count: number) =>
      others(count).map((_, n) => {
        const name = `${partner} ${n}`;
        return placeAllOf(bench, name, `investor of ${name}`, partner);
      });
    const first = flood('first', 40);
    expect(first.reduce((sum, { placed }) => sum + placed, 0)).toBe(300);
    expect(
      first.slice(0, 4).map(({ placed }) => placed),
      'each leaves the next one a part',
    ).toEqual([150, 75, 38, 19]);
    expect(first.at(-1)).toMatchObject({ placed: 0, refused: { of: 'partner', available: 300 } });
    expect(placeAll(bench, ALICE).placed, 'who is of no partner').toBe(150);
    takeUp(bench, 300);
    const second = flood('second', 40).reduce((sum, { placed }) => sum + placed, 0);
    expect(second, 'ten times 25').toBe(250);
    expect(placeAll(bench, BOB).placed).toBe(25);
  });
});

describe('balances of one who has several accounts', () => {
  const opened = (bench: LedgerBench, account: string): number => {
    for (let count = 0; ; count++)
      if (bench.transfer('deposit', { account, asset: `asset-${count}`, amount: 1 }).type !== 'done') return count;
  };

  it('count together, and those of all investors of a partner', () => {
    const limits = { balancesPerAccountMax: 6, balancesPerPartnerMax: 14, balancesPartnerShare: 10 };
    const bench = new LedgerBench(limits);
    const [one, other, third] = others(3) as [string, string, string];
    for (const account of [one, other]) expect(bench.refusalOf({ account, investor: 'investor' })).toBeNull();
    expect(bench.refusalOf({ account: third, investor: 'another' })).toBeNull();
    expect(opened(bench, one), 'each has one of cash').toBe(4);
    expect(opened(bench, other)).toBe(0);
    bench.restart();
    expect(opened(bench, other)).toBe(0);
    expect(bench.send({ baseAsset: 'new', orders: [order({ id: bench.id(), account: other })] }).refused).toMatchObject(
      [{ refusal: 'account_balances', of: 'investor', available: 6 }],
    );
    expect(opened(bench, third), 'half of what the partner has left').toBe(3);
    expect(opened(bench, ALICE), 'who is of no partner').toBe(6);
  });
});

describe('what is kept for those with few', () => {
  it('falls in steps, so that who has least is refused last', () => {
    const bench = new LedgerBench(SMALL);
    takeUp(bench, 750);
    const accounts = Array.from({ length: 200 }, (_, n) => idAt(0, 10_000 + n));
    const placed = accounts.map((account) => placeAll(bench, account).placed);
    const count = (number: number) => placed.filter((each) => each === number).length;
    expect([count(25), count(5), count(1)]).toEqual([20, 40, 50]);
    expect(bench.refusalOf({ account: BOB })?.refusal).toBe('ledger_full');
    expect(bench.refusalOf({ account: accounts[0] as string })?.refusal).toBe('ledger_full');
  });

  it('says how many one may have', () => {
    const bench = new LedgerBench(SMALL);
    takeUp(bench, 1_250);
    expect(placeAll(bench, ALICE)).toMatchObject({ placed: 5, refused: { refusal: 'account_orders', available: 5 } });
  });
});

describe('amendments on their way', () => {
  it('have room of their own: an account with all its orders in a full shard amends', () => {
    const bench = new LedgerBench({ reservationsMax: 3, amendmentsMax: 4, amendmentsGuaranteedPerAccount: 2 });
    const orderId = bench.admit({});
    takeUp(bench, 2);
    expect(bench.refusalOf({ account: BOB })?.refusal).toBe('ledger_full');
    const amend = () => bench.send({ amendments: [amendment({ id: bench.id(), orderId })] }).refused[0] ?? null;
    expect([amend(), amend()]).toEqual([null, null]);
    expect(amend(), 'as many as are still free').toMatchObject({ refusal: 'account_amendments', available: 2 });
  });

  it('of others leave each its own', () => {
    const limits = {
      amendmentsMax: 30,
      amendmentsForGuaranteed: 20,
      amendmentsGuaranteedPerAccount: 3,
      amendmentsForFew: 5,
      amendmentsGuaranteedOfFew: 1,
    };
    const bench = new LedgerBench(limits);
    const amended = (account: string): number => {
      const orderId = bench.admit({ account });
      for (let count = 0; ; count++)
        if (bench.send({ amendments: [amendment({ id: bench.id(), orderId, account })] }).refused.length > 0)
          return count;
    };
    const placed = others(15).map(amended);
    expect(placed.slice(0, 2)).toEqual([5, 3]);
    expect(placed.filter((count) => count === 1)).toHaveLength(5);
    expect(placed.at(-1)).toBe(0);
  });

  it('count no longer among open orders, and did by the rules of before', () => {
    const bench = new LedgerBench({ reservationsPerAccountMax: 2 });
    const { limits } = bench.ledger.rules;
    bench.apply({ kind: 'ledger_rules', version: 1, limits });
    const orderId = bench.admit({});
    const amend = () =>
      bench.send({ amendments: [amendment({ id: bench.id(), orderId })] }).refused[0]?.refusal ?? null;
    expect([amend(), amend()]).toEqual([null, 'account_orders']);
    bench.apply({ kind: 'ledger_rules', version: 2, limits });
    expect([amend(), bench.refusalOf({})]).toEqual([null, null]);
    expect(bench.refusalOf({})?.refusal).toBe('account_orders');
  });
});
