import { expect, test } from 'vitest';
import type { BookCommand, BookResult } from './api.ts';
import { commandsOf, resultsText, submitAsText } from './call-text.ts';

const commands: BookCommand[] = [
  {
    type: 'place',
    orderId: 'order-1',
    account: 'alice',
    owner: 'acme',
    keyId: 'key-1',
    clientOrderId: `it's "mine"`,
    terms: {
      side: 'sell',
      type: 'stop_loss_limit',
      timeInForce: 'GTD',
      quantity: 30,
      price: 10_050,
      stopPrice: 10_100,
      expiresAt: 1_700_000_060_000,
      selfTradePrevention: 'decrement',
      hidden: true,
      displayQuantity: 5,
    },
    attributes: 3,
    requires: 2,
    allowanceAsset: 'allowance-1',
    positionAsset: 'position-1',
    factsVersion: 8,
    rulesVersion: 9,
  },
  { type: 'cancel', orderId: 'order-0', account: 'alice' },
];

const results: BookResult[] = [
  {
    type: 'done',
    report: {
      orderId: 'order-1',
      status: 'partially_filled',
      quantity: 30,
      price: 10_050,
      filled: 10,
      filledNotional: 1_005,
      remaining: 20,
      restricted: true,
      code: 'a code',
      timestamp: 1_700_000_000_000,
    },
  },
  { type: 'refused', orderId: 'order-0', refusal: { reason: 'order_not_found' } },
];

test('commands and results sent as text arrive with every field as it was', async () => {
  let arrived: BookCommand[] = [];
  const answered = await submitAsText(
    {
      submitText: async (text) => {
        arrived = commandsOf(text);
        return resultsText(results);
      },
    },
    commands,
  );
  expect(arrived).toEqual(commands);
  expect(answered).toEqual(results);
});
