import { expect, it } from 'vitest';
import { ALICE, BOOK, idAt, order, SHARES, START, USD } from './ledger.fixtures.ts';
import { Ledger } from './ledger.ts';
const ctx = { time: START, backlogged: false };
const rows = [
  { kind: 'own', book: BOOK, owner: 'me', previousOwner: '' },
  { kind: 'transfer', type: 'deposit', id: idAt(START, 1), account: ALICE, asset: SHARES, amount: 4, cost: 0, tracksLots: true, reference: null, createdAt: START, event: null,
    lots: [0, 1, 2, 3].map((n) => ({ id: `${idAt(START, 1)}.${n}`, account: ALICE, quantity: 1, cost: 0, acquiredAt: START + n, restrictionEndsAt: null, offeringType: null })) },
  { kind: 'batch', book: BOOK, owner: 'me', batch: 1, settledFrom: 0, settledTo: 0, baseAsset: SHARES, quoteAsset: USD, tracksLots: true, emitsEvents: false, chunks: [], amendments: [],
    orders: [order({ id: idAt(START, 2), side: 'sell', reserveAsset: SHARES, reserve: 4 })] },
] as never[];
it('H: rows journaled under version n-1 limits replay under version n', () => {
  const run = (limits: object) => { const ledger = new Ledger(limits); return rows.map((row) => JSON.stringify(ledger.apply(row, ctx).outcome)); };
  expect(run({ lotsPerAccountMax: 3 })).toEqual(run({ lotsPerAccountMax: 4 }));
});
it('I: outcome of one batch that reserves many lots', () => {
  const ledger = new Ledger();
  ledger.apply(rows[0] as never, ctx);
  const N = 100, L = 2_000;
  for (let a = 0; a < N; a++) ledger.apply({ ...(rows[1] as object), id: idAt(START, 100 + a), account: idAt(1, a), amount: L,
    lots: Array.from({ length: L }, (_, n) => ({ id: `${idAt(START, 100 + a)}.${n}`, account: idAt(1, a), quantity: 1, cost: 0, acquiredAt: START + n, restrictionEndsAt: null, offeringType: null })) } as never, ctx);
  const { outcome } = ledger.apply({ ...(rows[2] as object), orders: Array.from({ length: N }, (_, a) => order({ id: idAt(START, 1000 + a), account: idAt(1, a), side: 'sell', reserveAsset: SHARES, reserve: L })) } as never, ctx);
  const text = JSON.stringify(outcome);
  console.error('answer MiB', text.length / 2 ** 20);
  expect(text.length).toBeLessThan(32 * 2 ** 20);
}, 60_000);
