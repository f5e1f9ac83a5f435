import { expect, test } from 'vitest';
import type { BrokerExecution } from '../../../domain/broker/broker-client.ts';
import type { BookMarket } from '../../../domain/markets/market.ts';
import { reportOf } from './broker-reports.ts';

const MARKET: BookMarket = {
  symbol: 'ACME-USD',
  baseAsset: 'acme',
  quoteAsset: 'usd',
  priceScale: 4,
  quantityScale: 0,
  quoteScale: 2,
  tracksLots: true,
};

const EXECUTION: BrokerExecution = {
  id: 'e',
  type: 'partial_fill',
  symbol: 'ACME',
  clientOrderId: 'o',
  at_ms: 7,
  executionId: 'x',
  venue: 'V1',
  side: 'buy',
  price: '99.5',
  quantity: '4',
};

test('an execution is said in the units of its market', () => {
  expect(reportOf(EXECUTION, MARKET)).toEqual({
    type: 'execution',
    id: 'e',
    orderId: 'o',
    at: 7,
    executionId: 'x',
    fillsOrder: false,
    side: 'buy',
    venue: 'V1',
    price: 99_5000,
    quantity: 4,
  });
  expect(reportOf({ ...EXECUTION, type: 'fill' }, MARKET)).toMatchObject({ fillsOrder: true });
});

test.each([
  ['a price of nothing', { price: '0' }, 4],
  ['a price below nothing', { price: '-1' }, 4],
  ['a price between its units', { price: '99.50001' }, 4],
  ['a price that is no number', { price: 'much' }, 4],
  ['a notional between the units of cash', { price: '0.0001', quantity: '1' }, 1],
  ['no quantity', { quantity: '0' }, null],
  ['a quantity below nothing', { quantity: '-4' }, null],
  ['a part of a share', { quantity: '4.5' }, null],
] as const)('an execution of %s does not fit, as the broker said it', (_, said, quantity) => {
  const { price, quantity: told } = { ...EXECUTION, ...said };
  const unfit = { type: 'unfit_execution', executionId: 'x', quantity, detail: `${told} at ${price}` };
  expect(reportOf({ ...EXECUTION, ...said }, MARKET)).toMatchObject(unfit);
});
