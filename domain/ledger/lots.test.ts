import { describe, expect, it } from 'vitest';
import {
  ALICE,
  amendment,
  BOB,
  idAt,
  LedgerBench,
  lot,
  lotMove,
  move,
  order,
  orderState,
  SHARES,
} from './ledger.fixtures.ts';

const LOTS = [idAt(1, 1), idAt(1, 2), idAt(1, 3)] as const;

/** Alice has three lots of 10 shares, one a day. */
function benchWithLots(limits = {}): LedgerBench {
  const bench = new LedgerBench(limits);
  bench.depositLots(
    ALICE,
    ...LOTS.map((id, day) =>
      lot({
        id,
        quantity: 10,
        cost: 100 * (day + 1),
        acquiredAt: day,
        restrictionEndsAt: day === 1 ? 99 : null,
        offeringType: day === 1 ? 'reg_cf' : null,
      }),
    ),
  );
  return bench;
}

function reservedBySell(bench: LedgerBench, reserve: number): [lot: number, quantity: number][] {
  const { lots } = bench.send({ orders: [order({ id: bench.id(), side: 'sell', reserve })] });
  return lots.map(({ lotId, quantity }) => [LOTS.indexOf(lotId), quantity]);
}

describe('a sell of an asset that tracks lots', () => {
  it('reserves the oldest lots first, with what restricts them', () => {
    const bench = benchWithLots();
    const id = bench.id();
    const { lots } = bench.send({ orders: [order({ id, side: 'sell', reserve: 15 })] });
    expect(lots).toEqual([
      { reservationId: id, lotId: LOTS[0], quantity: 10, restrictionEndsAt: null, offeringType: null },
      { reservationId: id, lotId: LOTS[1], quantity: 5, restrictionEndsAt: 99, offeringType: 'reg_cf' },
    ]);
    expect(bench.ledger.lot(LOTS[1])).toEqual({
      id: LOTS[1],
      account: ALICE,
      asset: SHARES,
      quantity: 10,
      reserved: 5,
      cost: 200,
      acquiredAt: 1,
      restrictionEndsAt: 99,
      offeringType: 'reg_cf',
    });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('goes on where the sell before it ended, also within one batch', () => {
    const bench = benchWithLots();
    const [first, second] = [bench.id(), bench.id()];
    const { lots } = bench.send({
      orders: [order({ id: first, side: 'sell', reserve: 4 }), order({ id: second, side: 'sell', reserve: 8 })],
    });
    expect(lots.map(({ reservationId, lotId, quantity }) => [reservationId, LOTS.indexOf(lotId), quantity])).toEqual([
      [first, 0, 4],
      [second, 0, 6],
      [second, 1, 2],
    ]);
    expect(reservedBySell(bench, 18)).toEqual([
      [1, 8],
      [2, 10],
    ]);
  });

  it('reserves lots by their age, however late they came, and by their id where they are of one age', () => {
    const bench = benchWithLots();
    const [oldest, twin, sameAge] = [idAt(0, 7), idAt(1, 0), idAt(1, 4)];
    bench.depositLots(ALICE, lot({ id: sameAge, quantity: 1, acquiredAt: 0 }));
    bench.depositLots(ALICE, lot({ id: twin, quantity: 1, acquiredAt: 0 }));
    bench.depositLots(ALICE, lot({ id: oldest, quantity: 1, acquiredAt: -1 }));
    const { lots } = bench.send({ orders: [order({ id: bench.id(), side: 'sell', reserve: 33 })] });
    expect(lots.map(({ lotId }) => lotId)).toEqual([oldest, twin, LOTS[0], sameAge, LOTS[1], LOTS[2]]);
  });

  it('takes only lots of its own account, and reserves none that it is refused for', () => {
    const bench = benchWithLots();
    bench.depositLots(BOB, lot({ id: bench.id(), account: BOB, quantity: 5, acquiredAt: -9 }));
    expect(bench.refusalOf({ side: 'sell', reserve: 31 })?.refusal).toBe('balance');
    expect(reservedBySell(bench, 30)).toHaveLength(3);
  });

  it('reserves none where the asset tracks none, for a buy, and for one that sells nothing', () => {
    const bench = benchWithLots();
    const reserved = (terms: object, orders = [order({ id: bench.id(), side: 'sell', reserve: 1 })]) =>
      bench.send({ orders, ...terms }).lots;
    expect(reserved({ tracksLots: false })).toEqual([]);
    expect(reserved({ baseAsset: 'other' })).toEqual([]);
    expect(reserved({}, [order({ id: bench.id(), side: 'sell', reserve: 0 })])).toEqual([]);
    expect(reserved({}, [order({ id: bench.id(), side: 'sell', reserve: 0, code: 'INVALID_PRICE' })])).toEqual([]);
  });

  it('reserves of no more lots than an account may in one batch; the next batch counts anew', () => {
    const bench = benchWithLots({ lotsPerAccountMax: 2 });
    const ids = [bench.id(), bench.id()];
    const { lots } = bench.send({
      orders: ids.map((id) => order({ id, side: 'sell', reserve: 10 })),
      amendments: [amendment({ id: bench.id(), orderId: ids[0] as string, reserveAsset: SHARES, reserve: 10 })],
    });
    expect(lots.map(({ reservationId }) => reservationId)).toEqual(ids);
    const other = benchWithLots({ lotsPerAccountMax: 2 });
    expect(reservedBySell(other, 30)).toEqual([
      [0, 10],
      [1, 10],
    ]);
    const once = benchWithLots({ lotsPerAccountMax: 1 });
    expect(reservedBySell(once, 10)).toEqual([[0, 10]]);
    expect(reservedBySell(once, 10)).toEqual([[1, 10]]);
  });

  it('reserves of no more lots than one batch may, of all accounts together', () => {
    const bench = benchWithLots({ lotsPerBatchMax: 3 });
    for (const quantity of [5, 5]) bench.depositLots(BOB, lot({ id: bench.id(), account: BOB, quantity }));
    const sells = [ALICE, BOB].map((account) => order({ id: bench.id(), side: 'sell', account, reserve: 10 }));
    const more = order({ id: bench.id(), side: 'sell', account: ALICE, reserve: 20 });
    expect(bench.send({ orders: [...sells, more] }).lots.map(({ reservationId }) => reservationId)).toEqual([
      sells[0]?.id,
      sells[1]?.id,
      sells[1]?.id,
    ]);
  });

  it('counts the lots of each account by itself', () => {
    const bench = benchWithLots({ lotsPerAccountMax: 1 });
    bench.depositLots(BOB, lot({ id: bench.id(), account: BOB, quantity: 5 }));
    const { lots } = bench.send({
      orders: [
        order({ id: bench.id(), side: 'sell', reserve: 10 }),
        order({ id: bench.id(), side: 'sell', account: BOB, reserve: 5 }),
      ],
    });
    expect(lots).toHaveLength(2);
  });
});

describe('lots that are given back', () => {
  it('are free again in their old place', () => {
    const bench = benchWithLots();
    const id = bench.admit({ side: 'sell', reserve: 10 });
    expect(reservedBySell(bench, 5)).toEqual([[1, 5]]);
    bench.settle({
      orders: [orderState({ id })],
      lotMoves: [lotMove(id, LOTS[0], { released: 10 })],
      balances: [move(ALICE, SHARES, 10)],
    });
    expect(bench.ledger.violations()).toEqual([]);
    expect(reservedBySell(bench, 12)).toEqual([
      [0, 10],
      [1, 2],
    ]);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('are free again when all of the holding was reserved, and when the newest alone was', () => {
    const bench = benchWithLots();
    const ids = [10, 10, 10].map((reserve) => bench.admit({ side: 'sell', reserve }));
    const giveBack = (place: number): void =>
      bench.settle({
        orders: [orderState({ id: ids[place] as string })],
        lotMoves: [lotMove(ids[place] as string, LOTS[place] as string, { released: 10 })],
        balances: [move(ALICE, SHARES, 10)],
      });
    giveBack(2);
    expect(reservedBySell(bench, 3)).toEqual([[2, 3]]);
    giveBack(0);
    expect(reservedBySell(bench, 12)).toEqual([
      [0, 10],
      [2, 2],
    ]);
    expect(bench.ledger.violations()).toEqual([]);
  });
});

describe('a sell of several lots', () => {
  it.each([
    [2, 1, 0],
    [1, 0, 2],
    [1, 2, 0],
  ])('may give up lot %i first, then %i, then %i', (...places) => {
    const bench = benchWithLots();
    const id = bench.admit({ side: 'sell', reserve: 30 });
    for (const [n, place] of places.entries()) {
      const left = 20 - 10 * n;
      bench.settle({
        orders: [orderState({ id, status: left === 0 ? 'cancelled' : 'open', reserve: left })],
        lotMoves: [lotMove(id, LOTS[place] as string, { released: 10 })],
        balances: [move(ALICE, SHARES, 10)],
      });
      expect(bench.ledger.violations()).toEqual([]);
      const reserved = LOTS.map((lotId) => bench.ledger.lot(lotId)?.reserved);
      expect(reserved).toEqual(LOTS.map((_, at) => (places.slice(n + 1).includes(at) ? 10 : 0)));
    }
    expect(reservedBySell(bench, 30)).toEqual([
      [0, 10],
      [1, 10],
      [2, 10],
    ]);
  });
});

describe('lots that are sold', () => {
  it('take their share of the cost, rounded down, and leave with the last share', () => {
    const bench = benchWithLots();
    const id = bench.admit({ side: 'sell', reserve: 30 });
    const fill = (quantity: number, lotMoves: ReturnType<typeof lotMove>[], reserve: number): void =>
      bench.settle({
        orders: [orderState({ id, status: reserve === 0 ? 'filled' : 'partially_filled', reserve })],
        balances: [move(ALICE, SHARES, 0, { sold: quantity }), move(BOB, SHARES, quantity, { bought: 1 })],
        lots: [lot({ id: bench.id(), account: BOB, quantity })],
        lotMoves,
      });
    fill(3, [lotMove(id, LOTS[0], { consumed: 3 })], 27);
    expect(bench.ledger.lot(LOTS[0])).toMatchObject({ quantity: 7, reserved: 7, cost: 70 });
    expect(bench.ledger.violations()).toEqual([]);
    fill(4, [lotMove(id, LOTS[0], { consumed: 4 })], 23);
    expect(bench.ledger.lot(LOTS[0])).toMatchObject({ quantity: 3, cost: 30 });
    fill(12, [lotMove(id, LOTS[0], { consumed: 3 }), lotMove(id, LOTS[1], { consumed: 9 })], 11);
    expect(bench.ledger.lot(LOTS[0])).toBeNull();
    expect(bench.ledger.lot(LOTS[1])).toMatchObject({ quantity: 1, reserved: 1, cost: 20 });
    fill(11, [lotMove(id, LOTS[1], { consumed: 1 }), lotMove(id, LOTS[2], { consumed: 10 })], 0);
    expect(bench.ledger.size).toMatchObject({ reservations: 0, lots: 4 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('may be sold and given back in one chunk', () => {
    const bench = benchWithLots();
    const id = bench.admit({ side: 'sell', reserve: 10 });
    bench.settle({
      orders: [orderState({ id })],
      balances: [move(ALICE, SHARES, 6, { sold: 4 }), move(BOB, SHARES, 4)],
      lots: [lot({ id: bench.id(), account: BOB, quantity: 4 })],
      lotMoves: [
        lotMove(id, LOTS[0], { consumed: 3 }),
        lotMove(id, LOTS[0], { released: 6 }),
        lotMove(id, LOTS[0], { consumed: 1 }),
      ],
    });
    expect(bench.ledger.lot(LOTS[0])).toMatchObject({ quantity: 6, reserved: 0 });
    expect(bench.ledger.violations()).toEqual([]);
  });
});

describe('a withdrawal', () => {
  it('takes the oldest lots that are free, and never what a sell has reserved', () => {
    const bench = benchWithLots();
    bench.admit({ side: 'sell', reserve: 4 });
    const withdraw = (amount: number) => bench.transfer('withdrawal', { asset: SHARES, amount });
    expect(withdraw(27)).toMatchObject({ type: 'insufficient_balance', required: 27, available: 26 });
    expect(withdraw(8)).toMatchObject({ type: 'done', lotIds: [LOTS[0], LOTS[1]] });
    expect(bench.ledger.lot(LOTS[0])).toMatchObject({ quantity: 4, reserved: 4, cost: 40 });
    expect(bench.ledger.lot(LOTS[1])).toMatchObject({ quantity: 8, reserved: 0, cost: 160 });
    expect(withdraw(18)).toMatchObject({ type: 'done', lotIds: [LOTS[1], LOTS[2]] });
    expect(bench.ledger.lot(LOTS[1])).toBeNull();
    expect(bench.ledger.lot(LOTS[2])).toBeNull();
    expect(bench.ledger.lot(LOTS[0])).toMatchObject({ quantity: 4, reserved: 4 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('may take all there is; what comes later begins anew', () => {
    const bench = benchWithLots();
    bench.transfer('withdrawal', { asset: SHARES, amount: 30 });
    expect(bench.ledger.size.lots).toBe(0);
    bench.depositLots(ALICE, lot({ id: LOTS[2], quantity: 3 }), lot({ id: LOTS[1], quantity: 2 }));
    expect(reservedBySell(bench, 5)).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(bench.ledger.violations()).toEqual([]);
  });
});

describe('lots that are sold out', () => {
  it('are never the first free ones: their numbers may stand for lots of another account', () => {
    const bench = benchWithLots();
    const first = bench.admit({ side: 'sell', reserve: 20 });
    bench.settle({
      orders: [orderState({ id: first, status: 'open', reserve: 10 })],
      balances: [move(ALICE, SHARES, 10)],
      lotMoves: [lotMove(first, LOTS[0], { released: 10 })],
    });
    expect(reservedBySell(bench, 10)).toEqual([[0, 10]]);
    bench.settle({
      orders: [orderState({ id: first, status: 'filled' })],
      balances: [move(ALICE, SHARES, 0, { sold: 10 }), move(BOB, SHARES, 10)],
      lotMoves: [lotMove(first, LOTS[1], { consumed: 10 })],
      lots: [lot({ id: bench.id(), account: BOB, quantity: 10 })],
    });
    expect(reservedBySell(bench, 10)).toEqual([[2, 10]]);
  });
});
