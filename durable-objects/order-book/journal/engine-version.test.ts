import { describe, expect, it } from 'vitest';
import { chunkOf, chunkText } from '../../../domain/ledger/batch-text.ts';
import type { BookMarket } from '../../../domain/markets/market.ts';
import type { Side } from '../../../domain/orders/order.ts';
import { BookState } from '../cycle/book-state.ts';
import { laterBookCode, NEXT_VERSION } from './engine-version.fixtures.ts';
import { BOOK_CODE, type BookCode, type EngineVersion, versionFailure } from './engine-version.ts';
import { effectsHash } from './journal-chain.ts';
import type { JournalCommand, JournalEntry } from './journal-entry.ts';

const MARKET: BookMarket = {
  symbol: 'COIN-USD',
  baseAsset: 'coin',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 0,
  quoteScale: 2,
  tracksLots: false,
};
const [BEFORE, AFTER] = [BOOK_CODE.current, NEXT_VERSION];

interface Row {
  readonly entry: JournalEntry;
  readonly version: EngineVersion;
  readonly effects: string;
}

/** A book with its journal in memory, which dies and comes back, by code of one deployment or another. */
class JournaledBook {
  readonly rows: Row[] = [];
  state = new BookState(MARKET);
  #version = BOOK_CODE.current;
  #ids = 0;

  /** Answers the number of chunks of its effects. */
  cycle(time: number, ...commands: JournalCommand[]): number {
    const entry = { time, batch: this.rows.length + 1, commands };
    const { chunks } = this.state.run(entry);
    this.rows.push({ entry, version: this.#version, effects: effectsHash(chunks.map(chunkText)) });
    return chunks.length;
  }

  /** The next instance replays what the last has journaled, each row by its version, and goes on by its own. */
  start({ current }: BookCode, from = 0, snapshot?: ReturnType<BookState['snapshot']>): void {
    const hash = this.state.engine.stateHash();
    this.state = new BookState(MARKET, structuredClone(snapshot), this.rows[from - 1]?.version ?? current);
    for (const { entry, version, effects } of this.rows.slice(from)) {
      this.state.goBy(version);
      expect(effectsOf(this.state, entry)).toBe(effects);
    }
    this.state.goBy(current);
    this.#version = current;
    expect(this.state.engine.stateHash()).toBe(hash);
    this.state.engine.assertInvariants();
  }

  place(side: Side, account: string, quantity: number, price = 100, expiresAt = 0): JournalCommand {
    this.#ids += 1;
    const terms = {
      type: 'place',
      orderId: `order-${this.#ids}`,
      account,
      keyId: null,
      side,
      orderType: 'limit',
      timeInForce: expiresAt === 0 ? 'GTC' : 'GTD',
      quantity,
      price,
      stopPrice: 0,
      expiresAt,
      selfTradePrevention: 'cancel_newest',
      hidden: false,
      displayQuantity: 0,
      attributes: 0,
      requires: 0,
    } as const;
    const fees = { makerFeeBps: 0, takerFeeBps: 0 };
    const order = {
      terms,
      price,
      ...fees,
      allowanceAsset: null,
      positionAsset: null,
      restricted: false,
      lots: [],
    };
    return { type: 'place', order };
  }
}

function effectsOf(state: BookState, entry: JournalEntry): string {
  return effectsHash(state.run(entry).chunks.map(chunkText));
}

/** The same cycles of anyone's orders: a sweep of two sells, a meeting with oneself, three orders that expire; in the end none is open. */
function cycles(book: JournaledBook, time: number): { readonly sweep: number; readonly openAfter: number[] } {
  const sweep = book.cycle(
    time,
    book.place('sell', 'bob', 1),
    book.place('sell', 'cem', 1),
    book.place('buy', 'ann', 2),
    ...[0, 1, 2].map(() => book.place('buy', 'dan', 1, 50, time + 3)),
  );
  book.cycle(time + 1, book.place('sell', 'eve', 5));
  const before = book.state.orders.size;
  book.cycle(time + 2, book.place('buy', 'eve', 1));
  const openAfter = [book.state.orders.size - before];
  book.cycle(time + 3);
  openAfter.push(book.state.orders.size - before);
  const orderIds = [...book.state.orders.keys()];
  book.cycle(time + 4, { type: 'mass_cancel', orderIds, reason: 'halt' });
  return { sweep, openAfter };
}

/** A book of the version before that goes on under the next one. */
function upgraded(): JournaledBook {
  const book = new JournaledBook();
  cycles(book, 1_000);
  book.start(laterBookCode());
  cycles(book, 2_000);
  return book;
}

describe('a book whose engine gets another version', () => {
  it('goes on by the rules of the new one: matching, expiries of a cycle, and where chunks end', () => {
    const book = new JournaledBook();
    const before = cycles(book, 1_000);
    book.start(laterBookCode());
    const after = cycles(book, 2_000);
    expect([before.sweep, after.sweep]).toEqual([1, 2]);
    expect(before.openAfter, 'the new order of eve is cancelled, and all three expire').toEqual([0, -3]);
    expect(after.openAfter, 'her resting one is cancelled, and two of three expire').toEqual([0, -2]);
  });

  it('replays each row by the version that made it, with the same effects to the byte, also when killed again', () => {
    const book = upgraded();
    book.start(laterBookCode());
    cycles(book, 3_000);
    book.start(laterBookCode());
    book.start(laterBookCode(BEFORE));
    cycles(book, 4_000);
    book.start(laterBookCode());
    expect([...new Set(book.rows.map((row) => row.version.version))]).toEqual([BEFORE.version, AFTER.version]);
  });

  it('goes on from a snapshot that either version has written', () => {
    const book = new JournaledBook();
    cycles(book, 1_000);
    const [older, at] = [structuredClone(book.state.snapshot()), book.rows.length];
    book.start(laterBookCode(), at, older);
    cycles(book, 2_000);
    book.start(laterBookCode(), at, older);
    const [newer, end] = [structuredClone(book.state.snapshot()), book.rows.length];
    cycles(book, 3_000);
    book.start(laterBookCode(), end, newer);
  });

  it.each([
    ['before', BEFORE],
    ['after', AFTER],
  ])('would have other effects, were all rows run by the version %s', (_, version) => {
    const state = new BookState(MARKET, undefined, version);
    const effects = upgraded().rows.map((row) => effectsOf(state, row.entry) === row.effects);
    expect(effects).toContain(false);
  });
});

it('a version that the code does not have is named, with those that it has', () => {
  expect(versionFailure(laterBookCode(), 'row 7 of the journal', AFTER.version)).toBeNull();
  const known = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, BEFORE.version, AFTER.version].join(' and ');
  expect(versionFailure(laterBookCode(), 'row 7 of the journal', 2)).toBe(
    `row 7 of the journal is of engine version 2, and this code has ${known}`,
  );
});

it('trades say from version 6 on what either order has filled and has left, and those of before keep their text', () => {
  const tradesBy = (version: number) => {
    const book = new JournaledBook();
    book.start(BOOK_CODE);
    book.state.goBy(BOOK_CODE.known.find((each) => each.version === version) ?? BOOK_CODE.current);
    const commands = [book.place('sell', 'bob', 5), book.place('buy', 'ann', 2)];
    return book.state.run({ time: 1_000, batch: 1, commands }).chunks;
  };
  const [before, after] = [tradesBy(5), tradesBy(6)];
  const progress = { buyFilled: 2, buyRemaining: 0, sellFilled: 2, sellRemaining: 3 };
  expect(after[0]?.trades).toMatchObject([progress]);
  expect(before[0]?.trades[0]).not.toHaveProperty('buyFilled');
  const textOf = (chunks: typeof before) => chunks.map(chunkText).join();
  const columns = Object.values(progress).join();
  expect(textOf(after).replace(`,${columns}]`, ']')).toBe(textOf(before));
  expect(chunkOf(textOf(before)).trades).toMatchObject([{ buyFilled: undefined, quantity: 2 }]);
});
