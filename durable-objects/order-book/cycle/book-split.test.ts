import { expect, test } from 'vitest';
import type { BookResult } from '../rpc/commands.ts';
import { BookInMemory } from './book-in-memory.fixtures.ts';

const FIRST = { id: 'first', from: 1, to: 4 };
const SECOND = { id: 'second', from: 2, to: 1 };

/** A market with a band of 10 %, whose last trade was at 10.00; both sides may still trade. */
async function traded(): Promise<BookInMemory> {
  const book = new BookInMemory();
  book.deposit('buyer', 'usd', 1_000_000_00);
  book.deposit('seller', 'acme', 1_000);
  const { config } = book.flow;
  book.flow.goBy({ ...config, market: { ...config.market, bandBps: 1_000, referencePrice: 10_00 } });
  await book.submit(book.place('seller', 'sell', 1, 10_00), book.place('buyer', 'buy', 1, 10_00));
  expect(book.state.engine.lastPrice()).toBe(10_00);
  return book;
}

const learn = (book: BookInMemory, ...splits: (typeof FIRST)[]) =>
  book.flow.reconfigure({ ...book.flow.config, splits });

const statusOf = (result: BookResult | undefined) => (result?.type === 'done' ? result.report.status : result?.type);

test('prices count by the split at once: the first order after it is judged by the price that the last trade comes to', async () => {
  const book = await traded();
  expect(book.flow.isBeforeSplit).toBe(false);
  await learn(book, FIRST);
  expect(book.flow.isBeforeSplit).toBe(false);
  expect(book.state.engine.lastPrice()).toBe(2_50);
  expect(book.state.band.band).toEqual({ low: 2_25, high: 2_75 });
  const [before, after] = await book.submit(
    book.place('seller', 'sell', 1, 10_00),
    book.place('seller', 'sell', 1, 2_60),
  );
  expect(before).toMatchObject({ type: 'refused' });
  expect(statusOf(after)).toBe('open');
});

test('each split counts once, in its order, also after a restart', async () => {
  const book = await traded();
  await learn(book, FIRST);
  await learn(book, FIRST);
  expect(book.state.engine.lastPrice()).toBe(2_50);
  book.restart();
  book.takeOver();
  await learn(book, FIRST, SECOND);
  await learn(book, FIRST, SECOND);
  expect(book.state.engine.lastPrice()).toBe(5_00);
});

test('prices stay while orders stand at those from before', async () => {
  const book = await traded();
  await book.submit(book.place('seller', 'sell', 1, 10_50));
  await learn(book, FIRST);
  expect(book.state.engine.lastPrice()).toBe(10_00);
});

test('a book that has never traded knows of a split, and has no price', async () => {
  const book = new BookInMemory();
  await learn(book, FIRST);
  expect(book.state.engine.lastPrice()).toBeNull();
  expect(book.flow.isBeforeSplit).toBe(false);
});
