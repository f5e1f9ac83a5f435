import { describe, expect, it } from 'vitest';
import type { SettlementChunk } from '../../../domain/ledger/records.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { BookState } from '../cycle/book-state.ts';
import { BOOK_CODE, engineVersionOf } from './engine-version.ts';
import type { JournalCommand, JournalEntry } from './journal-entry.ts';
import { journalEntryOf, journalText } from './journal-text.ts';

const MARKET = {
  symbol: 'COIN-USD',
  baseAsset: 'coin',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 0,
  quoteScale: 2,
  tracksLots: false,
} as const;

function place(
  orderId: string,
  side: 'buy' | 'sell',
  quantity: number,
  price: number,
  terms: { readonly stopPrice?: number; readonly priceMost?: number } = {},
): JournalCommand {
  const { stopPrice = 0 } = terms;
  const of = { type: 'place', orderId, account: `account of ${orderId}`, keyId: null, side, quantity, price } as const;
  const orderType = stopPrice === 0 ? ('limit' as const) : ('stop_loss' as const);
  const rest = { timeInForce: 'GTC', expiresAt: 0, selfTradePrevention: 'cancel_newest', hidden: false } as const;
  const order = {
    terms: { ...of, ...rest, ...terms, orderType, stopPrice, displayQuantity: 0, attributes: 0, requires: 0 },
    price: stopPrice === 0 ? price : null,
    makerFeeBps: 0,
    takerFeeBps: 0,
    allowanceAsset: null,
    positionAsset: null,
    restricted: false,
    lots: [],
  };
  return { type: 'place', order };
}

const entry = (batch: number, ...commands: JournalCommand[]): JournalEntry => ({
  time: 1_700_000_000_000 + batch,
  batch,
  commands,
});

/** A book by a version, whose entries have been through the journal. */
function run(version: number, entries: readonly JournalEntry[], route: Market['route'] = 'internal') {
  const state = new BookState({ ...MARKET, route }, undefined, engineVersionOf(BOOK_CODE, version));
  const chunks = entries.flatMap((each) => state.run(journalEntryOf(journalText(each))).chunks);
  return { state, chunks };
}

const lastOf = (chunks: readonly SettlementChunk[], orderId: string) =>
  chunks.flatMap(({ orders }) => orders).findLast(({ id }) => id === orderId);

describe('a stop whose market gaps through its trigger', () => {
  const gap = [
    entry(1, place('a', 'buy', 1, 100), place('b', 'sell', 1, 100), place('stop', 'sell', 2, 94, { stopPrice: 98 })),
    entry(2, place('c', 'buy', 1, 90), place('d', 'sell', 1, 90)),
  ];

  it.each([9, 10, 11])('X-19: has ended in rows of version %i, and ends in their replay', (version) => {
    const { state, chunks } = run(version, gap);
    expect(lastOf(chunks, 'stop')).toMatchObject({ status: 'cancelled', code: 'unfilled', reserve: 0 });
    expect(state.orders.has('stop')).toBe(false);
  });

  it('X-19: stands at its collar from version 12 on, and holds what it has left', () => {
    const { state, chunks } = run(12, gap);
    expect(lastOf(chunks, 'stop')).toMatchObject({ status: 'open', reserve: 2 });
    expect(state.publicDepth(1)).toEqual({ bids: [], asks: [[94, 2]] });
    const { chunks: later } = state.run(entry(3, place('e', 'buy', 1, 95)));
    expect(lastOf(later, 'stop')).toMatchObject({
      status: 'partially_filled',
      filled: 1,
      filledNotional: 94,
      reserve: 1,
    });
  });

  it('X-19: goes on by version 12 after rows of version 11', () => {
    const { state } = run(11, gap.slice(0, 1));
    state.goBy(BOOK_CODE.current);
    const { chunks } = state.run(entry(2, place('c', 'buy', 1, 90), place('d', 'sell', 1, 90)));
    expect(lastOf(chunks, 'stop')).toMatchObject({ status: 'open', reserve: 2 });
  });
});

describe('an order at a broker', () => {
  const orders = [entry(1, place('buy', 'buy', 5, 100), place('sell', 'sell', 5, 100, { priceMost: 300 }))];
  const executed = (price: number): JournalCommand => ({
    type: 'broker_reports',
    reports: ['buy', 'sell'].map((orderId) => ({
      type: 'execution',
      id: `event of ${orderId}`,
      orderId,
      at: 1,
      executionId: `execution of ${orderId}`,
      fillsOrder: false,
      venue: null,
      price,
      quantity: 2,
    })),
    cursor: '1',
  });

  it.each([
    [11, undefined, undefined],
    [12, 3, 900],
  ])('says by version %i that a buy may still bring %s, and a sell %s', (version, bought, sold) => {
    const { chunks } = run(version, [...orders, entry(2, executed(100))], 'broker');
    expect([lastOf(chunks, 'buy')?.incoming, lastOf(chunks, 'sell')?.incoming]).toEqual([bought, sold]);
    expect(Object.keys(lastOf(chunks, 'buy') ?? {}).includes('incoming')).toBe(version === 12);
  });

  it('keeps the highest price at which a sell counts in its journal, its snapshot and the hash of its book', () => {
    const { state } = run(12, orders, 'broker');
    const other = run(
      12,
      [entry(1, place('buy', 'buy', 5, 100), place('sell', 'sell', 5, 100, { priceMost: 301 }))],
      'broker',
    );
    expect(state.engine.stateHash()).not.toBe(other.state.engine.stateHash());
    const again = new BookState({ ...MARKET, route: 'broker' }, structuredClone(state.snapshot()));
    expect(again.engine.stateHash()).toBe(state.engine.stateHash());
    expect(again.orders.get('sell')?.priceMost).toBe(300);
    expect(state.orders.get('buy')?.priceMost).toBeUndefined();
  });

  it('from before is told of in the first cycle of version 12, which comes by itself, once', () => {
    const { state, chunks } = run(11, orders, 'broker');
    expect(lastOf(chunks, 'buy')?.incoming).toBeUndefined();
    expect(state.nextDue).toBeNull();
    state.goBy(BOOK_CODE.current);
    expect(state.nextDue).toBe(state.time);
    const before = state.orders.get('buy')?.updatedAt;
    const { chunks: told } = state.run({ ...entry(2), batch: null });
    expect(told.flatMap(({ orders: each }) => each)).toMatchObject([
      { id: 'buy', incoming: 5, updatedAt: before },
      { id: 'sell', incoming: 1_500, updatedAt: before },
    ]);
    expect(state.nextDue).toBeNull();
    expect(state.run(entry(3)).chunks).toEqual([]);
  });

  it('was executed at any price before version 12', () => {
    const { chunks } = run(11, [entry(1, place('sell', 'sell', 5, 100)), entry(2, executed(5_000))], 'broker');
    expect(lastOf(chunks, 'sell')).toMatchObject({ filled: 2, filledNotional: 10_000 });
  });
});
