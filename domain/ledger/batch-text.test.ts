import { describe, expect, it } from 'vitest';
import { batchOf, batchText } from './batch-text.ts';
import { ALICE, amendment, BOB, chunk, LedgerBench, lot, lotMove, move, order, orderState } from './ledger.fixtures.ts';

describe('the text of a batch', () => {
  it('says every field of it', () => {
    const bench = new LedgerBench();
    const batch = bench.batch({
      orders: [order({ id: 'o', keyId: 'k', clientOrderId: 'c', stopPrice: 5, expiresAt: 6, allowanceAsset: 'a' })],
      amendments: [amendment({ id: 'm', orderId: 'o', reserve: 3, positionAsset: 'p', position: 1 })],
      chunks: [
        chunk({
          trades: [
            {
              id: 't',
              sequence: 1,
              price: 2,
              quantity: 3,
              notional: 6,
              takerSide: 'sell',
              buyOrder: 'b',
              sellOrder: 's',
              buyer: ALICE,
              seller: BOB,
              buyerFee: 4,
              sellerFee: 5,
              executedAt: 7,
            },
          ],
          orders: [orderState({ id: 'o', restricted: true, code: 'X', cancelledAt: 9, executedAt: 8 })],
          balances: [move(ALICE, 'usd', -1, { bought: 2, sold: 3 })],
          lots: [lot({ id: 'l', quantity: 1, restrictionEndsAt: 4, offeringType: 'reg_d' })],
          lotMoves: [lotMove('o', 'l', { consumed: 1, released: 2 })],
          amendments: ['m'],
          bars: [
            { interval: '1m', bucket: 1, open: 2, high: 3, low: 4, close: 5, volume: 6, quoteVolume: 7, trades: 8 },
          ],
        }),
      ],
      emitsEvents: true,
      tracksLots: false,
    });
    expect(batchOf(batchText(batch))).toEqual(batch);
  });

  it('is that of an empty batch, too', () => {
    const batch = new LedgerBench().batch({ chunks: [chunk({})] });
    expect(batchOf(batchText(batch))).toEqual(batch);
  });
});
