import { expect, it } from 'vitest';
import { amendment, BOB, idAt, LedgerBench, lot, order, SHARES } from '../../../domain/ledger/ledger.fixtures.ts';

const KEY = idAt(0, 77);
const MANY = 2 ** 50;

it.each([
  ['many cheap shares to one dear share', { quantity: MANY, proceeds: MANY }, { quantity: 1, proceeds: 2 ** 50 }],
  ['one dear share to many cheap ones', { quantity: 1, proceeds: 2 ** 50 }, { quantity: MANY, proceeds: MANY }],
])('M-02: a sell under a daily loss that is amended from %s is judged, and breaks nothing', (_, before, after) => {
  const bench = new LedgerBench();
  bench.depositLots(BOB, lot({ id: idAt(1, 1), account: BOB, quantity: MANY, cost: 1_000 }));
  const limits = { notionalMax: null, lossMax: 5_000 };
  const id = bench.id();
  const holds = { account: BOB, keyId: KEY, reserveAsset: SHARES };
  const daily = { ...limits, notional: before.proceeds, ...before };
  const sell = order({ id, ...holds, side: 'sell', reserve: before.quantity, daily });
  expect(bench.send({ orders: [sell] }).refused).toEqual([]);
  const more = Math.max(0, after.quantity - before.quantity);
  const asked = amendment({
    id: bench.id(),
    orderId: id,
    account: BOB,
    reserveAsset: SHARES,
    reserve: more,
    exposure: { notional: after.proceeds, ...after },
    limitedKey: KEY,
  });
  expect(bench.send({ amendments: [asked] }).refused).toEqual([]);
  expect(bench.ledger.violations()).toEqual([]);
});
