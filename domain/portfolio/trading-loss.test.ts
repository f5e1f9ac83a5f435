import { expect, test } from 'vitest';
import { tradingLoss } from './trading-loss.ts';

const market = { priceScale: 2, quantityScale: 0, quoteScale: 2 };

test('a round trip loses what it paid above what it got, fees included', () => {
  expect(tradingLoss([{ market, quantity: 0, cash: -1_250, last: 100 }])).toBe(1_250);
});

test('what is still held is valued at the last price', () => {
  expect(tradingLoss([{ market, quantity: 10, cash: -10_000, last: 900 }])).toBe(1_000);
  expect(tradingLoss([{ market, quantity: -10, cash: 10_000, last: 1_100 }])).toBe(1_000);
});

test('markets add up, and a gain is no loss', () => {
  const loss = { market, quantity: 0, cash: -500, last: 1 };
  const gain = { market, quantity: 0, cash: 300, last: 1 };
  expect(tradingLoss([loss, gain])).toBe(200);
  expect(tradingLoss([gain])).toBe(0);
  expect(tradingLoss([])).toBe(0);
});
