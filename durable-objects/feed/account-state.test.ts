import { describe, expect, it } from 'vitest';
import type { AccountEvent, AccountRow } from '../../domain/ledger/account-events.ts';
import type { AccountOrder } from '../../domain/orders/account-order.ts';
import { AccountState } from './account-state.ts';

const OPEN: AccountOrder = {
  id: 'a',
  book: 'ACME-USD',
  clientOrderId: null,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  price: 100,
  stopPrice: null,
  quantity: 10,
  filled: 0,
  filledNotional: 0,
  status: 'open',
  code: null,
  expiresAt: null,
  remaining: null,
};

const balance = (available: number): AccountEvent => ({
  type: 'balance',
  balance: { asset: 'usd', available, held: 0, cost: 0 },
});

const row = (seq: number, events: readonly AccountEvent[], goesOn = false): AccountRow => ({
  seq,
  time: 1,
  events,
  goesOn,
});

describe('what an account is told', () => {
  it('is numbered by the rows of the ledger alone, whoever reads them and in however many parts', () => {
    const whole = new AccountState(4, [], []);
    const parts = new AccountState(4, [], []);
    const told = whole.apply(row(5, [balance(1), balance(2), balance(3)]));
    const first = parts.apply(row(5, [balance(1)], true));
    const rest = parts.apply(row(5, [balance(2), balance(3)]));
    expect([...(first ?? []), ...(rest ?? [])]).toEqual(told);
    expect(told?.map(({ sequence }) => sequence)).toEqual([5 * 65_536, 5 * 65_536 + 1, 5 * 65_536 + 2]);
  });

  it('comes after everything that its opening includes', () => {
    const state = new AccountState(4, [], []);
    state.reach(7);
    const before = state.sequence;
    expect(state.apply(row(8, [balance(1)]))?.[0]?.sequence).toBe(before + 1);
  });

  it('is not told where a row says more than can be numbered', () => {
    const state = new AccountState(4, [], []);
    const many = Array.from({ length: 65_536 }, (_, available) => balance(available));
    expect(state.apply(row(5, many))).toHaveLength(65_536);
    expect(state.apply(row(5, [balance(0)]))).toBeNull();
  });

  it('adds up the fills of one row, one by one', () => {
    const state = new AccountState(4, [OPEN], []);
    const traded = (quantity: number, price: number): AccountEvent => ({
      type: 'traded',
      book: 'ACME-USD',
      side: 'buy',
      trade: {
        id: `t${price}`,
        sequence: price,
        price,
        quantity,
        notional: quantity * price,
        takerSide: 'buy',
        buyOrder: 'a',
        sellOrder: 'z',
        buyer: 'me',
        seller: 'other',
        buyerFee: 0,
        sellerFee: 0,
        executedAt: 1,
      },
    });
    const told = state.apply(row(5, [traded(4, 90), traded(6, 95)]));
    expect(
      told?.map((one) => (one.type === 'fill' ? [one.order.filled, one.order.filledNotional, one.order.status] : [])),
    ).toEqual([
      [4, 360, 'partially_filled'],
      [10, 930, 'filled'],
    ]);
  });
});
