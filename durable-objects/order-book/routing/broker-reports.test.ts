import { expect, test } from 'vitest';
import type { BrokerExecution } from '../../../domain/broker/broker-client.ts';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
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

test('an execution that brings more than an account may have of anything does not fit', () => {
  const said = (price: string, quantity: string) => reportOf({ ...EXECUTION, side: 'sell', price, quantity }, MARKET);
  const most = AMOUNT_MAX / 128;
  expect(said('1.28', String(most))).toMatchObject({ type: 'execution', quantity: most });
  expect(said('1.28', String(most + 1))).toMatchObject({ type: 'unfit_execution', quantity: most + 1 });
  expect(said('0.01', String(AMOUNT_MAX))).toMatchObject({ type: 'execution', quantity: AMOUNT_MAX });
  const tooMany = reportOf({ ...EXECUTION, price: '0.01', quantity: String(AMOUNT_MAX + 2) }, MARKET);
  expect(tooMany).toMatchObject({ type: 'unfit_execution' });
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
