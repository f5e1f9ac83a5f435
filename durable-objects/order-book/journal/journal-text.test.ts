import { expect, test } from 'vitest';
import type { JournalEntry } from './journal-entry.ts';
import { journalEntryOf, journalText } from './journal-text.ts';

const entry: JournalEntry = {
  time: 1_700_000_000_000,
  batch: 7,
  commands: [
    {
      type: 'place',
      order: {
        terms: {
          type: 'place',
          orderId: 'order-1',
          account: 'alice',
          keyId: 'key-1',
          side: 'sell',
          orderType: 'stop_loss_limit',
          timeInForce: 'GTD',
          quantity: 30,
          price: 10_050,
          stopPrice: 10_100,
          expiresAt: 1_700_000_060_000,
          selfTradePrevention: 'decrement',
          hidden: true,
          displayQuantity: 5,
          attributes: 3,
          requires: 2,
          family: ['carol', 'dave'],
        },
        price: 10_049,
        makerFeeBps: 1,
        takerFeeBps: 4,
        allowanceAsset: 'allowance-1',
        positionAsset: 'position-1',
        restricted: true,
        lots: [{ reservationId: 'order-1', lotId: 'lot-1', quantity: 30, restrictionEndsAt: 9, offeringType: 'reg_d' }],
        rate: { numerator: 11, denominator: 10 },
      },
    },
    { type: 'cancel', orderId: 'order-0', account: 'alice' },
  ],
};

test('an entry comes back from its journal row as it was, every field of an order included', () => {
  expect(journalEntryOf(journalText(entry))).toEqual(entry);
});
