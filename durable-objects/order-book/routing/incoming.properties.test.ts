import { expect, test } from 'vitest';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import type { BreakBooking } from '../../../domain/ledger/transactions.ts';
import { scaledToDecimal } from '../../../domain/money/decimal-text.ts';
import { PRICE_MAX } from '../../../domain/order-entry/exact-notional.ts';
import { RoutedBook } from './routed-book.fixtures.ts';

const SEEDS = Array.from({ length: 30 }, (_, at) => at + 1);
const STEPS = 60;
const ACCOUNTS = ['alice', 'bob', 'alice', 'carol'] as const;
const LOT = 1_000_000;
const COIN = {
  route: 'prime',
  baseAsset: 'btc',
  quantityScale: 8,
  quoteScale: 4,
  tracksLots: false,
  lotSize: LOT,
  quantityMax: Number.MAX_SAFE_INTEGER,
  makerFeeBps: 1,
  takerFeeBps: 7,
} as const;

/** The ends of every range that order entry accepts, and what lies between. */
const QUANTITIES = [1, 100, 2 ** 28, AMOUNT_MAX / LOT / 2, AMOUNT_MAX / LOT, AMOUNT_MAX / LOT].map(
  (lots) => Math.floor(lots) * LOT,
);
const PRICES = [1, 1, 2, 2, 100, 50_000_00, 2 ** 26, 2 ** 40, PRICE_MAX];
const AMOUNTS = [1, 10 ** 9, 2 ** 40, AMOUNT_MAX / 2, AMOUNT_MAX];

/** Numbers below a bound, the same for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/**
 * Orders of any quantity and price that are accepted, executed in full and in part, at any price that a broker may say, late ones, too; deposits, withdrawals and
 * bookings of breaks beside them: the book never stands still, every amount stays exact, and what was made is nothing.
 */
test.each(SEEDS)('seed %i: nothing that is accepted stops a book', async (seed) => {
  const draw = drawing(seed);
  const pick = <T>(values: readonly T[]): T => values[draw(values.length)] as T;
  const book = new RoutedBook(COIN);
  book.broker.cancelsAtOnce = false;
  const orderIds: string[] = [];
  const terms = new Map<string, { side: 'buy' | 'sell'; price: number }>();
  for (const account of new Set(ACCOUNTS)) book.deposit(account, 'usd', 10 ** 13);

  const settleBreak = (number: number): void => {
    const quantity = pick(QUANTITIES);
    const booking: BreakBooking = {
      route: 'prime',
      baseAsset: 'btc',
      quoteAsset: 'usd',
      tracksLots: false,
      account: pick(ACCOUNTS),
      side: pick(['buy', 'sell'] as const),
      executionId: `booked-${number}`,
      price: 1,
      quantity,
      notional: pick(AMOUNTS),
      executedAt: book.now,
    };
    const of = { kind: 'resolve_break', id: `r-${number}`, book: 'ACME-USD', breakId: `b-${number}`, booking } as const;
    const by = { reason: 'told', by: 'ops', createdAt: book.now, event: null };
    book.ledger.apply({ ...of, ...by }, { time: book.now, backlogged: false });
  };
  const withdraw = (number: number): void => {
    const of = { kind: 'transfer', id: `w-${number}`, type: 'withdrawal', account: pick(ACCOUNTS) } as const;
    const what = { asset: pick(['usd', 'btc']), amount: pick(AMOUNTS), cost: 0, tracksLots: false, lots: [] };
    const rest = { reference: null, createdAt: book.now, event: null };
    book.ledger.apply({ ...of, ...what, ...rest }, { time: book.now, backlogged: false });
  };
  const execute = (orderId: string): void => {
    const order = book.broker.orders.get(orderId);
    const of = terms.get(orderId);
    if (order === undefined || of === undefined) return;
    const left = (book.state.orders.get(orderId)?.remaining ?? 0) / LOT;
    const lots = pick([left, left, left / 2, 1, AMOUNT_MAX / LOT]);
    if (lots < 1) return;
    const limit = of.price;
    const price =
      of.side === 'buy'
        ? pick([limit, Math.max(1, Math.floor(limit / 2)), 1])
        : pick([limit, limit * 2, limit * 16, limit * 17, PRICE_MAX]);
    book.broker.fill(
      orderId,
      scaledToDecimal(Math.floor(lots) * LOT, 8),
      scaledToDecimal(Math.min(price, PRICE_MAX), 2),
    );
  };

  for (let step = 0; step < STEPS; step++) {
    const orderId = orderIds[draw(Math.max(1, orderIds.length))];
    const account = orderId === undefined ? undefined : book.state.orders.get(orderId)?.account;
    const what = draw(10);
    if (what < 4) {
      const side = pick(['buy', 'buy', 'sell'] as const);
      const price = pick(PRICES);
      const command = book.place(pick(ACCOUNTS), side, pick(QUANTITIES), price);
      terms.set(command.orderId, { side, price });
      orderIds.push(command.orderId);
      const [result] = await book.submit(command);
      expect(['done', 'refused']).toContain(result?.type);
    } else if (what === 4 && orderId !== undefined && account !== undefined) {
      void book.amend(account, orderId, { quantity: pick(QUANTITIES), price: pick(PRICES) });
    } else if (what === 5 && orderId !== undefined && account !== undefined) {
      void book.cancel(account, orderId);
      if (draw(2) === 0 && book.broker.orders.get(orderId)?.status === 'open') book.broker.end(orderId, 'canceled');
    } else if (what === 6) book.deposit(pick(ACCOUNTS), pick(['usd', 'btc']), pick(AMOUNTS));
    else if (what === 7) withdraw(step);
    else if (what === 8) settleBreak(step);
    for (const id of orderIds) if (draw(4) === 0) execute(id);
    await book.listen();
    expect(book.journal.haltReason).toBeNull();
    for (const { available, held } of book.ledger.allBalances())
      expect([Number.isSafeInteger(available + held), Number.isSafeInteger(available)]).toEqual([true, true]);
  }
  for (const { account, asset, available, held } of book.ledger.allBalances())
    if (!account.startsWith('boundary:')) expect([asset, available + held < 2 ** 53 - 1]).toEqual([asset, true]);
});
