import { describe, expect, test } from 'vitest';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import { checkClearing, orderOfExecution } from './broker-clearing.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { BalanceMove, Trade } from './records.ts';

const CLEARING = BOUNDARY_ACCOUNT.brokerClearing;
const ASSETS = { baseAsset: 'acme', quoteAsset: 'usd' };

const BOUGHT: Trade = {
  id: 'trade',
  sequence: 1,
  price: 100,
  quantity: 3,
  notional: 300,
  takerSide: 'buy',
  buyOrder: 'order',
  sellOrder: orderOfExecution('x1'),
  buyer: 'alice',
  seller: CLEARING,
  buyerFee: 2,
  sellerFee: 0,
  executedAt: 1,
};

const move = (asset: string, available: number): BalanceMove => ({
  account: CLEARING,
  asset,
  available,
  bought: 0,
  sold: 0,
});

const check = (trades: readonly Trade[], balances: readonly BalanceMove[]) => () =>
  checkClearing({ trades, balances }, ASSETS);

describe('the account of broker clearing', () => {
  test('gives what was bought there, and takes what was sold there', () => {
    const sold: Trade = {
      ...BOUGHT,
      id: 'other',
      quantity: 1,
      notional: 90,
      buyOrder: orderOfExecution('x2'),
      sellOrder: 'order',
      buyer: CLEARING,
      seller: 'bob',
      buyerFee: 0,
      sellerFee: 1,
    };
    expect(check([BOUGHT], [move('usd', 300), move('acme', -3)])).not.toThrow();
    expect(check([BOUGHT, sold], [move('usd', 210), move('acme', -2)])).not.toThrow();
    expect(check([], [])).not.toThrow();
  });

  test.each([
    ['cash that no execution says', [], [move('usd', -1)]],
    ['shares that no execution says', [], [move('acme', -1)]],
    ['another amount of cash', [BOUGHT], [move('usd', 299), move('acme', -3)]],
    ['fewer shares', [BOUGHT], [move('usd', 300), move('acme', -2)]],
    ['nothing', [BOUGHT], []],
    ['what the market does not trade', [], [move('eur', 1)]],
    ['a fee of its own', [{ ...BOUGHT, sellerFee: 1 }], [move('usd', 299), move('acme', -3)]],
    ['an order instead of an execution', [{ ...BOUGHT, sellOrder: 'order' }], [move('usd', 300), move('acme', -3)]],
    ['both sides', [{ ...BOUGHT, buyer: CLEARING, buyOrder: orderOfExecution('x') }], []],
  ])('moves nothing else: %s', (_, trades, balances) => {
    expect(check(trades, balances)).toThrow(LedgerViolation);
  });

  test('is another for each route, and each is held to its own trades', () => {
    const atPrime = { ...BOUGHT, seller: BOUNDARY_ACCOUNT.primeClearing };
    const moves = [move('usd', 300), move('acme', -3)];
    const movesThere = moves.map((one) => ({ ...one, account: BOUNDARY_ACCOUNT.primeClearing }));
    expect(check([atPrime], movesThere)).not.toThrow();
    expect(check([atPrime], moves)).toThrow(LedgerViolation);
    expect(check([], movesThere)).toThrow(LedgerViolation);
  });
});
