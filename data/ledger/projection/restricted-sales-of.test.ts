import { expect, test } from 'vitest';
import type { SettlementChunk } from '../../../domain/ledger/records.ts';
import { restrictedSalesOf } from './restricted-sales-of.ts';

interface Sale {
  readonly sell: string;
  /** Ends and offerings of the lots that begin with it; null for one that is free. */
  readonly begins: readonly (readonly [end: number | null, offering: string, quantity?: number])[];
  readonly isRestricted?: boolean;
  /** Lots that the seller hands over, with how much of each; one of 5 unless told. */
  readonly hands?: readonly (readonly [lot: string, quantity: number])[];
}

const handsOf = ({ sell, hands = [[sell, 5]] }: Sale) => hands;
const quantityOf = (sale: Sale) => handsOf(sale).reduce((sum, [, quantity]) => sum + quantity, 0);

/** One buyer's order meets sells, one after the other. */
function chunkOf(sales: readonly Sale[]): SettlementChunk {
  const trade = (index: number) => `trade-${index}`;
  return {
    trades: sales.map((sale, index) => ({
      id: trade(index),
      buyOrder: 'buy',
      sellOrder: sale.sell,
      buyer: 'alice',
      seller: 'bob',
      quantity: quantityOf(sale),
      executedAt: 1,
    })),
    lots: sales.flatMap(({ begins }, index) =>
      begins.map(([restrictionEndsAt, offeringType, quantity = 5], number) => ({
        id: `${trade(index)}.${number}`,
        quantity,
        restrictionEndsAt,
        offeringType,
      })),
    ),
    lotMoves: sales.flatMap((sale) => handsOf(sale).map(([lotId, consumed]) => ({ lotId, consumed, released: 0 }))),
    orders: sales.map(({ sell, isRestricted = true }) => ({ id: sell, restricted: isRestricted })),
  } as unknown as SettlementChunk;
}

const quantitiesOf = (...sales: Sale[]) =>
  restrictedSalesOf('acme', chunkOf(sales)).map(({ trade, quantity }) => [trade, quantity]);

const rowsOf = (...sales: Sale[]) =>
  restrictedSalesOf('acme', chunkOf(sales)).map(({ trade, restrictionEndsAt, offeringType }) => [
    trade,
    restrictionEndsAt,
    offeringType,
  ]);

test('a restricted sell is a sale under an exemption, a free one is none', () => {
  expect(rowsOf({ sell: 'a', begins: [[9, 'reg_cf']] })).toEqual([['trade-0', 9, 'reg_cf']]);
  expect(rowsOf({ sell: 'a', begins: [[null, 'reg_cf']], isRestricted: false })).toEqual([]);
});

test('each sale names the lots that began with it, by the latest end of each offering', () => {
  const first = {
    sell: 'a',
    begins: [
      [9, 'reg_cf'],
      [8, 'reg_cf'],
      [7, '506b'],
    ],
    hands: [
      ['a1', 5],
      ['a2', 5],
      ['a3', 5],
    ],
  } as const;
  expect(rowsOf(first, { sell: 'b', begins: [[5, 'reg_s']] })).toEqual([
    ['trade-0', 9, 'reg_cf'],
    ['trade-0', 7, '506b'],
    ['trade-1', 5, 'reg_s'],
  ]);
});

test('a sale whose shares joined a lot goes by the last one, and a free sell between them is left out', () => {
  const joined = [
    { sell: 'a', begins: [[9, 'reg_cf', 10]] },
    { sell: 'b', begins: [[null, 'reg_cf']], isRestricted: false },
    { sell: 'c', begins: [] },
  ] as const;
  expect(rowsOf(...joined)).toEqual([
    ['trade-0', 9, 'reg_cf'],
    ['trade-2', 9, 'reg_cf'],
  ]);
});

test('a buy that sweeps a thousand restricted sells of a thousand ends makes a thousand rows', () => {
  const sales = Array.from(
    { length: 1_000 },
    (_, index): Sale => ({ sell: `sell-${index}`, begins: [[index + 2, '506b']] }),
  );
  expect(rowsOf(...sales)).toHaveLength(1_000);
});

const mixed: Sale = {
  sell: 'a',
  begins: [
    [null, '506b', 400],
    [9, '506b', 300],
  ],
  hands: [
    ['a-free', 300],
    ['a-held', 100],
  ],
};

test('a sale is as large as what came of lots within their hold, not as its trade', () => {
  const alone: Sale = {
    ...mixed,
    begins: [
      [null, '506b', 300],
      [9, '506b', 100],
    ],
  };
  expect(quantitiesOf(alone)).toEqual([['trade-0', 100]]);
});

test('two sells that share the lots of one buy have what each gave', () => {
  const hands = [
    ['b-free', 100],
    ['b-held', 200],
  ] as const;
  expect(quantitiesOf(mixed, { sell: 'b', begins: [], hands })).toEqual([
    ['trade-0', 100],
    ['trade-1', 200],
  ]);
});

test('a fill that took free shares alone is none, the next one of the same sell goes by the lot that it takes', () => {
  const first: Sale = { sell: 'a', begins: [[null, '506b', 300]], hands: [['a-free', 300]] };
  const second: Sale = { sell: 'a', begins: [[9, '506b', 60]], hands: [['a-held', 40]] };
  const third: Sale = { sell: 'a', begins: [], hands: [['a-held', 20]] };
  expect(quantitiesOf(first, second, third)).toEqual([
    ['trade-1', 40],
    ['trade-2', 20],
  ]);
});
