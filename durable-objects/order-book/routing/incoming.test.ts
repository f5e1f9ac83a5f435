import { describe, expect, test } from 'vitest';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import { scaledToDecimal } from '../../../domain/money/decimal-text.ts';
import { RoutedBook } from './routed-book.fixtures.ts';

/** A coin at a prime broker: eight decimals, a lot of 0.01, a dollar of four decimals. */
const COIN = {
  route: 'prime',
  baseAsset: 'btc',
  quantityScale: 8,
  quoteScale: 4,
  tracksLots: false,
  lotSize: 1_000_000,
  quantityMax: Number.MAX_SAFE_INTEGER,
  makerFeeBps: 0,
  takerFeeBps: 0,
} as const;
/** Two lots, so that half of what is told in it is whole lots, too. */
const LOT = 2 * COIN.lotSize;
/** The most of a coin that the orders of one account may bring where nobody has any, and in whole lots. */
const ROOM = AMOUNT_MAX - AMOUNT_MAX / 8;
const MOST = ROOM - (ROOM % LOT);
const coins = (quantity: number) => scaledToDecimal(quantity, 8);

function venue(): RoutedBook {
  const book = new RoutedBook(COIN);
  for (const account of ['alice', 'bob', 'carol']) book.deposit(account, 'usd', 100_000_000_0000);
  return book;
}

const sums = (book: RoutedBook, account: string, asset: string) => book.ledger.balance(account, asset);

describe('orders at a broker that might bring more than amounts are exact in', () => {
  test('many buys are bounded together: what is beyond is refused, and no book stands still', async () => {
    const book = venue();
    const first = await book.order('alice', 'buy', MOST / 2, 1);
    await book.order('alice', 'buy', MOST / 2, 1);
    const [result] = await book.submit(book.place('alice', 'buy', LOT, 1));
    expect(result).toMatchObject({
      type: 'refused',
      refusal: { reason: 'holding_too_large', asset: 'btc', required: LOT, available: ROOM - MOST },
    });
    for (const orderId of book.broker.orders.keys()) book.broker.fill(orderId, coins(MOST / 2), '0.01');
    await book.listen();
    expect(sums(book, 'alice', 'btc')).toMatchObject({ available: MOST });
    expect(book.state.orders.has(first)).toBe(false);
    expect(book.journal.haltReason).toBeNull();
  });

  test('what an order no longer brings makes room: by its cancel, and by an amendment', async () => {
    const book = venue();
    const orderId = await book.order('alice', 'buy', MOST, 1);
    const other = book.place('alice', 'buy', LOT, 1);
    expect((await book.submit(other))[0]).toMatchObject({ refusal: { reason: 'holding_too_large' } });
    await book.amend('alice', orderId, { quantity: MOST - LOT });
    await book.listen();
    await book.order('alice', 'buy', LOT, 1);
    expect(await book.amend('alice', orderId, { quantity: MOST })).toMatchObject({
      type: 'refused',
      refusal: { reason: 'holding_too_large', required: LOT },
    });
    await book.cancel('alice', orderId);
    await book.listen();
    await book.order('alice', 'buy', MOST - LOT, 1);
    expect(book.journal.haltReason).toBeNull();
  });

  test('an amendment counts as long as either terms may execute', async () => {
    const book = venue();
    book.broker.replacesAtOnce = false;
    const orderId = await book.order('alice', 'buy', MOST / 2, 1);
    const amended = book.amend('alice', orderId, { quantity: MOST - LOT });
    await book.listen();
    expect((await book.submit(book.place('alice', 'buy', 2 * LOT, 1)))[0]).toMatchObject({
      refusal: { reason: 'holding_too_large', available: ROOM - MOST + LOT },
    });
    book.broker.rejectReplacement(orderId);
    await book.listen();
    await amended;
    await book.order('alice', 'buy', MOST / 2, 1);
  });

  test('a sale that is executed far beyond any price that is known is a break, and brings nothing', async () => {
    const book = venue();
    const buy = await book.order('alice', 'buy', 1_000 * 10 ** 8, 50_00);
    book.broker.fill(buy, '1000', '50');
    await book.listen();
    const before = sums(book, 'alice', 'usd').available;
    const sell = await book.order('alice', 'sell', 1_000 * 10 ** 8, 60_00);
    // 2^35 units of cash for all of it: 3,435.97 a coin.
    book.broker.fill(sell, '1', '3435.97');
    await book.listen();
    expect(sums(book, 'alice', 'usd').available).toBe(before + 3_435_9700);
    book.broker.fill(sell, '1', '3435.98');
    await book.listen();
    expect(book.breaks).toEqual(['not_exact']);
    expect(sums(book, 'alice', 'usd').available).toBe(before + 3_435_9700);
    expect(book.journal.haltReason).toBeNull();
  });

  test('sales are bounded together by what they may bring', async () => {
    const book = venue();
    const all = 10_000_000 * 10 ** 8;
    const buy = await book.order('alice', 'buy', all, 1_00);
    book.broker.fill(buy, coins(all), '1');
    await book.listen();
    // Each may bring 32,000 dollars for a million coins.
    const sell = () => book.submit(book.place('alice', 'sell', 1_000_000 * 10 ** 8, 32_000_00));
    const results = [];
    for (let count = 0; count < 9; count++) results.push((await sell())[0]);
    expect(results.filter((result) => result?.type === 'done')).toHaveLength(6);
    expect(results.at(-1)).toMatchObject({ refusal: { reason: 'holding_too_large', asset: 'usd' } });
    for (const orderId of book.broker.orders.keys()) if (orderId !== buy) book.broker.fill(orderId, '1000000', '32000');
    await book.listen();
    expect(book.breaks).toEqual([]);
    expect(book.journal.haltReason).toBeNull();
    expect(sums(book, 'alice', 'usd').available).toBeLessThanOrEqual(AMOUNT_MAX);
  });

  test('an amendment of a sell is refused where former quantity and new price together are no exact amount', async () => {
    const book = venue();
    const buy = await book.order('alice', 'buy', 1_000 * 10 ** 8, 50_00);
    book.broker.fill(buy, '1000', '50');
    await book.listen();
    const sell = await book.order('alice', 'sell', 1_000 * 10 ** 8, 60_00);
    expect(await book.amend('alice', sell, { quantity: LOT, price: 2 ** 40 })).toMatchObject({
      type: 'refused',
      refusal: { reason: 'notional_too_large' },
    });
    const amended = book.amend('alice', sell, { quantity: LOT, price: 90_00 });
    await book.listen();
    expect(await amended).toMatchObject({ type: 'done', report: { price: 90_00, quantity: LOT } });
    expect(book.state.orders.get(sell)?.priceMost).toBe(3_435_97);
  });

  test('an execution that comes after its order has ended is a break, however much it would bring', async () => {
    const book = venue();
    const orderId = await book.order('alice', 'buy', MOST, 1);
    await book.cancel('alice', orderId);
    await book.listen();
    await book.order('alice', 'buy', MOST, 1);
    book.broker.fill(orderId, coins(MOST), '0.01');
    await book.listen();
    expect(book.breaks).toEqual(['order_ended']);
    expect(book.journal.haltReason).toBeNull();
  });

  test('the ledger knows of each open order what it may bring, also after the book was lost', async () => {
    const book = venue();
    await book.order('alice', 'buy', MOST - LOT, 1);
    book.lose();
    await book.quiet();
    expect((await book.submit(book.place('alice', 'buy', 2 * LOT, 1)))[0]).toMatchObject({
      refusal: { reason: 'holding_too_large' },
    });
    await book.order('alice', 'buy', LOT, 1);
  });
});
