import { expect, test } from 'vitest';
import { tradingLoss } from './trading-loss.ts';

const market = { priceScale: 2, quantityScale: 0, quoteScale: 2 };
const traded = { market, overnight: 0, lastBefore: 0 };

test('a round trip loses what it paid above what it got, fees included', () => {
  expect(tradingLoss([{ ...traded, quantity: 0, cash: -1_250, last: 100 }])).toBe(1_250);
});

test('what is still held is valued at the last price', () => {
  expect(tradingLoss([{ ...traded, quantity: 10, cash: -10_000, last: 900 }])).toBe(1_000);
  expect(tradingLoss([{ ...traded, quantity: -10, cash: 10_000, last: 1_100 }])).toBe(1_000);
});

test('markets add up, and a gain is no loss', () => {
  const loss = { ...traded, quantity: 0, cash: -500, last: 1 };
  const gain = { ...traded, quantity: 0, cash: 300, last: 1 };
  expect(tradingLoss([loss, gain])).toBe(200);
  expect(tradingLoss([gain])).toBe(0);
  expect(tradingLoss([])).toBe(0);
});

test('what was held when the day began counts from its price then, whether it is still held or sold', () => {
  const carried = { market, overnight: 10, lastBefore: 1_200 };
  expect(tradingLoss([{ ...carried, quantity: 0, cash: 0, last: 1_000 }])).toBe(2_000);
  expect(tradingLoss([{ ...carried, quantity: -10, cash: 11_000, last: 500 }])).toBe(1_000);
  expect(tradingLoss([{ ...carried, quantity: -10, cash: 12_500, last: 2_000 }])).toBe(0);
});
