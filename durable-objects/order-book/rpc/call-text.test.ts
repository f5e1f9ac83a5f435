import { expect, test } from 'vitest';
import { commandsOf, resultsText, submitAsText } from './call-text.ts';
import type { BookCommand, BookResult } from './commands.ts';

const commands: BookCommand[] = [
  { type: 'mass_cancel', account: 'bob', keyId: null, side: 'buy', reason: 'user' },
  { type: 'mass_cancel', account: 'bob', keyId: null, side: null, relative: 'carol', reason: 'revoked' },
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
    daily: { notionalMax: 5, lossMax: null },
    factsVersion: 8,
    rulesVersion: 9,
    family: ['carol', 'dave'],
    rate: { version: 3, numerator: 11, denominator: 10 },
  },
  { type: 'cancel', orderId: 'order-0', account: 'alice' },
  { type: 'cancel', orderId: 'order-2', account: 'alice' },
  {
    type: 'place',
    orderId: 'order-3',
    account: 'alice',
    owner: 'acme',
    keyId: null,
    clientOrderId: null,
    terms: {
      side: 'buy',
      type: 'market',
      timeInForce: 'IOC',
      quantity: 1,
      price: null,
      stopPrice: null,
      expiresAt: null,
      selfTradePrevention: 'cancel_newest',
      hidden: false,
      displayQuantity: null,
    },
    attributes: 0,
    requires: 0,
    allowanceAsset: null,
    positionAsset: null,
    daily: null,
    factsVersion: 8,
    rulesVersion: 9,
    family: null,
    rate: null,
  },
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
  {
    type: 'done',
    report: {
      orderId: 'order-3',
      status: 'filled',
      quantity: 1,
      price: null,
      filled: 1,
      filledNotional: 100,
      remaining: 0,
      restricted: false,
      code: null,
      timestamp: 1_700_000_000_001,
    },
  },
];

test('a call without commands comes back without results', async () => {
  expect(await submitAsText({ submitText: async (text) => resultsText(commandsOf(text) as never[]) }, [])).toEqual([]);
});

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
