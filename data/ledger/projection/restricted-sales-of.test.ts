import { expect, test } from 'vitest';
import type { SettlementChunk } from '../../../domain/ledger/records.ts';
import { restrictedSalesOf } from './restricted-sales-of.ts';

interface Sale {
  readonly sell: string;
  /** Ends and offerings of the lots that begin with it; null for one that is free. */
  readonly begins: readonly (readonly [end: number | null, offering: string])[];
  readonly isRestricted?: boolean;
}

/** One buyer's order meets sells, one after the other. */
function chunkOf(sales: readonly Sale[]): SettlementChunk {
  const trade = (index: number) => `trade-${index}`;
  return {
    trades: sales.map(({ sell }, index) => ({
      id: trade(index),
      buyOrder: 'buy',
      sellOrder: sell,
      buyer: 'alice',
      quantity: 5,
      executedAt: 1,
    })),
    lots: sales.flatMap(({ begins }, index) =>
      begins.map(([restrictionEndsAt, offeringType], number) => ({
        id: `${trade(index)}.${number}`,
        restrictionEndsAt,
        offeringType,
      })),
    ),
    orders: sales.map(({ sell, isRestricted = true }) => ({ id: sell, restricted: isRestricted })),
  } as unknown as SettlementChunk;
}

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
  } as const;
  expect(rowsOf(first, { sell: 'b', begins: [[5, 'reg_s']] })).toEqual([
    ['trade-0', 9, 'reg_cf'],
    ['trade-0', 7, '506b'],
    ['trade-1', 5, 'reg_s'],
  ]);
});

test('a sale whose shares joined a lot goes by the last one, and a free sell between them is left out', () => {
  const joined = [
    { sell: 'a', begins: [[9, 'reg_cf']] },
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
