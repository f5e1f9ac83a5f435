import { expect, test } from 'vitest';
import { refundRest, refundWorth } from './refund-rest.ts';

const COST = { cost: '2000', least: '0', decimals: 3 } as const;
const NEVER = { tried: 0, ordered: null } as const;
const coin = { chain: 'ethereum', token: null } as const;
const token = { chain: 'ethereum', token: '0xtoken' } as const;
const nothing = { coinWorth: null, flatFee: '0' } as const;

test('a refund of a coin rests where less has come than sending it back costs at the moment, and no longer', () => {
  expect(refundRest(coin, { amount: '1999', worth: nothing }, COST, NEVER)).toBe('worth_less');
  expect(refundRest(coin, { amount: '2000', worth: nothing }, COST, NEVER)).toBeNull();
});

test('a token is held against what its lane says that a coin is worth, else against its flat fee', () => {
  // Two coins at 50 each.
  const priced = { coinWorth: '50', flatFee: '500' } as const;
  expect(refundRest(token, { amount: '99', worth: priced }, COST, NEVER)).toBe('worth_less');
  expect(refundRest(token, { amount: '100', worth: priced }, COST, NEVER)).toBeNull();
  const unpriced = { coinWorth: null, flatFee: '7' } as const;
  expect(refundRest(token, { amount: '6', worth: unpriced }, COST, NEVER)).toBe('worth_less');
  expect(refundRest(token, { amount: '7', worth: unpriced }, COST, NEVER)).toBeNull();
});

test('after two that came to nothing another is an operator’s decision, each time', () => {
  const large = { amount: '1000000', worth: nothing } as const;
  expect(refundRest(coin, large, COST, { tried: 1, ordered: null })).toBeNull();
  expect(refundRest(coin, large, COST, { tried: 2, ordered: null })).toBe('failed');
  expect(refundRest(coin, large, COST, { tried: 2, ordered: 2 })).toBeNull();
  expect(refundRest(coin, large, COST, { tried: 3, ordered: 2 })).toBe('failed');
});

test('an order brings back what is worth less than that as well, once', () => {
  const small = { amount: '1', worth: nothing } as const;
  expect(refundRest(coin, small, COST, { tried: 0, ordered: 0 })).toBeNull();
  expect(refundRest(coin, small, COST, { tried: 1, ordered: 0 })).toBe('worth_less');
});

test('what no relayer pays for goes back by itself', () => {
  const small = { amount: '1', worth: nothing } as const;
  for (const chain of ['solana', 'bitcoin-taproot', 'tron'] as const)
    expect(refundRest({ chain, token: null }, small, COST, { tried: 5, ordered: null })).toBeNull();
  const custody = { provider: 'p', vaultId: 'v' } as never;
  expect(refundRest({ chain: 'ethereum', token: null, custody }, small, COST, NEVER)).toBeNull();
});

test('amounts of the ledger are told in units of the source, whichever has more decimals', () => {
  expect(refundWorth({ coinPrice: 25, flatFee: 3 }, { scale: 2, decimals: 6 })).toEqual({
    coinWorth: '250000',
    flatFee: '30000',
  });
  expect(refundWorth({ coinPrice: 2_500, flatFee: 399 }, { scale: 4, decimals: 2 })).toEqual({
    coinWorth: '25',
    flatFee: '3',
  });
  expect(refundWorth({ coinPrice: null, flatFee: 0 }, { scale: 4, decimals: 2 }).coinWorth).toBeNull();
});
