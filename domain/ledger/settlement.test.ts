import { describe, expect, it } from 'vitest';
import {
  ALICE,
  amendment,
  BOB,
  BOOK,
  chunk,
  LedgerBench,
  lot,
  lotMove,
  move,
  order,
  orderState,
  SHARES,
  USD,
} from './ledger.fixtures.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { SettlementChunk } from './records.ts';

/** Alice buys 10 shares at 100 with 2 of fees in all; Bob sells them from one lot. */
interface Crossed {
  readonly bench: LedgerBench;
  readonly buy: string;
  readonly sell: string;
  readonly lotId: string;
}

function crossed(): Crossed {
  const bench = new LedgerBench();
  bench.transfer('deposit', { amount: 5_000 });
  bench.grant(ALICE, 'allowance', 2_000);
  bench.grant(ALICE, 'position', 50);
  const lotId = bench.id();
  bench.depositLots(BOB, lot({ id: lotId, quantity: 30, cost: 1_000 }));
  const [buy, sell] = [bench.id(), bench.id()];
  bench.send({
    orders: [
      order({
        id: buy,
        reserve: 1_101,
        allowanceAsset: 'allowance',
        allowance: 1_100,
        positionAsset: 'position',
        position: 10,
      }),
      order({ id: sell, account: BOB, side: 'sell', reserve: 10 }),
    ],
  });
  return { bench, buy, sell, lotId };
}

function fill({ bench, buy, sell, lotId }: Crossed): SettlementChunk {
  return chunk({
    orders: [
      orderState({ id: buy, status: 'filled', filled: 10, filledNotional: 1_000, fee: 1 }),
      orderState({ id: sell, status: 'filled', filled: 10, filledNotional: 1_000, fee: 1 }),
    ],
    balances: [
      move(ALICE, USD, 100),
      move(ALICE, SHARES, 10, { bought: 1_001 }),
      move(ALICE, 'allowance', 100),
      move(ALICE, 'position', 0),
      move('boundary:limits', 'allowance', 1_000),
      move('boundary:limits', 'position', 10),
      move(BOB, SHARES, 0, { sold: 10 }),
      move(BOB, USD, 999),
      move('boundary:fees', USD, 2),
    ],
    lots: [lot({ id: bench.id(), account: ALICE, quantity: 10, cost: 1_001 })],
    lotMoves: [lotMove(sell, lotId, { consumed: 10 })],
  });
}

describe('a fill', () => {
  it('moves cash, shares, fees and limits, consumes what was spent and releases the rest', () => {
    const it = crossed();
    const { ledger } = it.bench;
    it.bench.settle(fill(it));
    expect(ledger.balance(ALICE, USD)).toEqual({ available: 3_999, held: 0, cost: 0 });
    expect(ledger.balance(ALICE, SHARES)).toEqual({ available: 10, held: 0, cost: 1_001 });
    expect(ledger.balance(ALICE, 'allowance')).toEqual({ available: 1_000, held: 0, cost: 0 });
    expect(ledger.balance(ALICE, 'position')).toEqual({ available: 40, held: 0, cost: 0 });
    expect(ledger.balance(BOB, USD)).toEqual({ available: 999, held: 0, cost: 0 });
    expect(ledger.balance(BOB, SHARES)).toEqual({ available: 20, held: 0, cost: 667 });
    expect(ledger.balance('boundary:fees', USD).available).toBe(2);
    expect(ledger.balance('boundary:limits', 'position').available).toBe(-40);
    expect(ledger.reservations(BOOK)).toEqual([]);
    expect(ledger.violations()).toEqual([]);
  });

  it('leaves an order that is not final with what its state says', () => {
    const it = crossed();
    const whole = fill(it);
    const open = orderState({ id: it.buy, status: 'partially_filled', reserve: 60, allowance: 40, position: 0 });
    const [, sell] = whole.orders;
    it.bench.settle({
      ...whole,
      orders: [open, sell as (typeof whole.orders)[number]],
      balances: [
        move(ALICE, USD, 40),
        ...whole.balances.slice(1, 2),
        move(ALICE, 'allowance', 60),
        ...whole.balances.slice(3),
      ],
    });
    expect(it.bench.ledger.reservations(BOOK)).toEqual([
      { kind: 'order', id: it.buy, account: ALICE, reserve: 60, allowance: 40, position: 0 },
    ]);
    expect(it.bench.ledger.balance(ALICE, USD)).toEqual({ available: 3_939, held: 60, cost: 0 });
    expect(it.bench.ledger.balance(ALICE, 'allowance')).toEqual({ available: 960, held: 40, cost: 0 });
    expect(it.bench.ledger.violations()).toEqual([]);
  });

  it('takes the share of the cost that is sold before it adds what is bought', () => {
    const it = crossed();
    const whole = fill(it);
    // Bob sells 10 of 30 and, in the same chunk, buys 4 back from Alice's ten.
    const balances = whole.balances.map((each) => {
      if (each.asset !== SHARES) return each;
      return each.account === BOB ? { ...each, available: 4, bought: 500 } : { ...each, available: 6, sold: 4 };
    });
    const lots = [
      lot({ id: it.bench.id(), account: ALICE, quantity: 6 }),
      lot({ id: it.bench.id(), account: BOB, quantity: 4 }),
    ];
    it.bench.settle({ ...whole, balances, lots });
    expect(it.bench.ledger.balance(BOB, SHARES)).toEqual({ available: 24, held: 0, cost: 1_000 - 333 + 500 });
    // Alice had none before: nothing of a cost to take away.
    expect(it.bench.ledger.balance(ALICE, SHARES).cost).toBe(1_001);
    expect(it.bench.ledger.violations()).toEqual([]);
  });

  it('leaves no cost with a holding that is sold to the last share', () => {
    const it = crossed();
    it.bench.settle(fill(it));
    const sell = it.bench.admit({ account: BOB, side: 'sell', reserve: 20 });
    it.bench.settle({
      orders: [orderState({ id: sell, status: 'filled' })],
      balances: [move(BOB, SHARES, 0, { sold: 20 }), move(ALICE, SHARES, 20, { bought: 1 })],
      lots: [lot({ id: it.bench.id(), account: ALICE, quantity: 20, cost: 1 })],
      lotMoves: [lotMove(sell, it.lotId, { consumed: 20 })],
    });
    expect(it.bench.ledger.balance(BOB, SHARES)).toEqual({ available: 0, held: 0, cost: 0 });
    expect(it.bench.ledger.lot(it.lotId)).toBeNull();
    expect(it.bench.ledger.violations()).toEqual([]);
  });
});

describe('effects that break an invariant', () => {
  const broken: readonly [what: string, spoil: (it: Crossed) => Partial<SettlementChunk>][] = [
    ['do not sum to zero', (it) => ({ balances: [move(ALICE, USD, 1), ...fill(it).balances] })],
    ['leave out a balance', (it) => ({ balances: fill(it).balances.slice(1) })],
    [
      'take what is not there',
      (it) => ({ balances: [...fill(it).balances, move(BOB, USD, -1_000), move('boundary:fees', USD, 1_000)] }),
    ],
    [
      'leave a balance that is not exact',
      (it) => ({ balances: [...fill(it).balances, move(ALICE, USD, 2 ** 53), move('boundary:fees', USD, -(2 ** 53))] }),
    ],
    ['move fractions', (it) => ({ balances: [...fill(it).balances, move(ALICE, USD, 0.5), move(BOB, USD, -0.5)] })],
    ['name an order that holds nothing', (it) => ({ orders: [...fill(it).orders, orderState({ id: it.bench.id() })] })],
    ['leave lots with a final order', (it) => ({ lotMoves: [lotMove(it.sell, it.lotId, { consumed: 9 })] })],
    ['take more of a lot than was reserved', (it) => ({ lotMoves: [lotMove(it.sell, it.lotId, { consumed: 11 })] })],
    [
      'take less than nothing of a lot',
      (it) => ({ lotMoves: [lotMove(it.sell, it.lotId, { consumed: 11, released: -1 })] }),
    ],
    [
      'give back less than nothing of a lot',
      (it) => ({ lotMoves: [lotMove(it.sell, it.lotId, { consumed: -1, released: 11 })] }),
    ],
    ['take of a lot that is not known', (it) => ({ lotMoves: [lotMove(it.sell, it.bench.id(), { consumed: 10 })] })],
    [
      'take of a lot for whom nothing was reserved',
      (it) => ({ lotMoves: [lotMove(it.buy, it.lotId, { consumed: 10 })] }),
    ],
    [
      'take lots of a reservation that is not known',
      (it) => ({ lotMoves: [...fill(it).lotMoves, lotMove(it.bench.id(), it.lotId, {})] }),
    ],
    ['bring a lot twice', (it) => ({ lots: [...fill(it).lots, lot({ id: it.lotId, account: ALICE, quantity: 1 })] })],
    ['end an amendment that is not known', (it) => ({ amendments: [it.bench.id()] })],
    ['end an order as an amendment', (it) => ({ orders: [], amendments: [it.buy, it.sell] })],
  ];

  it.each(broken)('%s', (_, spoil) => {
    const it = crossed();
    const whole = fill(it);
    expect(() => it.bench.settle({ ...whole, ...spoil(it) })).toThrow(LedgerViolation);
  });

  const HOLDS = [
    ['reserve', USD],
    ['allowance', 'allowance'],
    ['position', 'position'],
  ] as const;

  it.each(HOLDS)('leave a %s with a final order, or less than none with an open one', (field, asset) => {
    for (const [status, amount] of [
      ['filled', 1],
      ['open', -1],
    ] as const) {
      const it = crossed();
      // Another order, so that the account itself does not hold less than nothing.
      const limits = { allowanceAsset: 'allowance', allowance: 5, positionAsset: 'position', position: 5 };
      it.bench.admit({ reserve: 5, ...limits });
      const whole = fill(it);
      const orders = whole.orders.map((state) => (state.id === it.buy ? { ...state, status, [field]: amount } : state));
      const balances = [...whole.balances, move(ALICE, asset, -amount)];
      expect(() => it.bench.settle({ ...whole, orders, balances })).toThrow(`order ${it.buy}`);
    }
  });

  it('hide what is missing behind amounts that are not exact', () => {
    const [most, bench] = [Number.MAX_SAFE_INTEGER, new LedgerBench()];
    const balances = [most, 2, -most, -1].map((amount, n) => move(`boundary:${n}`, USD, amount));
    expect(() => bench.settle({ balances })).toThrow(LedgerViolation);
  });

  it('leave available and held amounts that are exact, and a sum that is not', () => {
    const [most, bench] = [Number.MAX_SAFE_INTEGER, new LedgerBench()];
    bench.transfer('deposit', { amount: 10 });
    bench.admit({ reserve: 10 });
    const balances = [move(ALICE, USD, most), move('boundary:deposits', USD, -most)];
    expect(() => bench.settle({ balances })).toThrow(LedgerViolation);
  });

  it('settle an amendment as if it were an order', () => {
    const { bench, buy } = crossed();
    const id = bench.id();
    bench.send({ amendments: [amendment({ id, orderId: buy, reserve: 10 })] });
    const state = orderState({ id });
    expect(() => bench.settle({ orders: [state], balances: [move(ALICE, USD, 10)] })).toThrow(LedgerViolation);
  });

  it('are of the orders, or the lots, of another book', () => {
    const { bench, sell, lotId } = crossed();
    const state = orderState({ id: sell, status: 'open', reserve: 10 });
    for (const effects of [{ orders: [state] }, { lotMoves: [lotMove(sell, lotId, { released: 10 })] }]) {
      bench.apply({ kind: 'own', book: 'OTHER-USD', owner: 'other', previousOwner: '' });
      expect(() => bench.send({ book: 'OTHER-USD', chunks: [chunk(effects)] })).toThrow('OTHER-USD settles what');
    }
  });

  it('leave an order that holds less than nothing, whatever its account holds otherwise', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 1_000 });
    const [spoiled] = [bench.admit({ reserve: 10 }), bench.admit({ reserve: 500 })];
    const state = orderState({ id: spoiled, status: 'open', reserve: -5 });
    expect(() => bench.settle({ orders: [state], balances: [move(ALICE, USD, 15)] })).toThrow('less than nothing');
  });

  it('bring a balance to where amounts are no longer exact', () => {
    const bench = new LedgerBench();
    const nearly = Number.MAX_SAFE_INTEGER - 5;
    bench.settle({ balances: [move(ALICE, USD, nearly), move('boundary:deposits', USD, -nearly)] });
    expect(() => bench.settle({ balances: [move(ALICE, USD, 10), move('boundary:fees', USD, -10)] })).toThrow(
      'range of exact amounts',
    );
  });

  it('sell more of a lot than an order has reserved of it', () => {
    const { bench, sell, lotId } = crossed();
    expect(() => bench.settle({ lotMoves: [lotMove(sell, lotId, { consumed: 11 })] })).toThrow(LedgerViolation);
  });

  it('forget what an amendment held, which has moved into its order or gone back', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 1_000 });
    const orderId = bench.admit({ reserve: 100 });
    const id = bench.id();
    bench.send({ amendments: [amendment({ id, orderId, reserve: 30 })] });
    bench.settle({ amendments: [id], balances: [move(ALICE, USD, 30)] });
    expect(bench.ledger.balance(ALICE, USD)).toMatchObject({ available: 900, held: 100 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('may not lend: a boundary account alone can go below zero', () => {
    const bench = new LedgerBench();
    bench.settle({ balances: [move('boundary:deposits', USD, -10), move(ALICE, USD, 10)] });
    expect(bench.ledger.balance(ALICE, USD).available).toBe(10);
    expect(() => bench.settle({ balances: [move('boundary:fees', USD, 11), move(ALICE, USD, -11)] })).toThrow(
      LedgerViolation,
    );
  });
});
