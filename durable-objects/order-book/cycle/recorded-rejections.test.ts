import { expect, test } from 'vitest';
import type { OrderAdmission } from '../../../domain/ledger/records.ts';
import type { RejectCommand } from '../rpc/commands.ts';
import { BookInMemory } from './book-in-memory.fixtures.ts';

function rejected(book: BookInMemory, clientOrderId: string | null = null): RejectCommand {
  const { orderId, account, owner, keyId, terms } = book.place('buyer', 'buy', 3, 10_00);
  return { type: 'reject', orderId, account, owner, keyId, clientOrderId, terms, code: 'VALIDATION_ERROR' };
}

/** A book in which one may buy, and the orders of each batch that it sends. */
function watched(): { readonly book: BookInMemory; readonly batches: (readonly OrderAdmission[])[] } {
  const book = new BookInMemory();
  book.deposit('buyer', 'usd', 1_000_000_00);
  const batches: (readonly OrderAdmission[])[] = [];
  book.beforeCommit = ({ orders }) => void (orders.length > 0 && batches.push(orders));
  return { book, batches };
}

test('an order that order entry has refused goes to the ledger in the batch of others, as rejected and holding nothing', async () => {
  const { book, batches } = watched();
  const [good, bad] = [book.place('buyer', 'buy', 1, 10_00), rejected(book)];
  const results = await book.submit(good, bad);
  expect(results).toMatchObject([{ type: 'done' }, { type: 'recorded', orderId: bad.orderId }]);
  expect(batches.length).toBe(1);
  expect(batches[0]).toMatchObject([
    { id: good.orderId, status: 'open', code: null },
    { id: bad.orderId, status: 'rejected', code: 'VALIDATION_ERROR', quantity: 3, price: 10_00, reserve: 0 },
  ]);
  expect(book.state.orders.has(bad.orderId)).toBe(false);
});

test('it is recorded once, and holds its client order id', async () => {
  const { book } = watched();
  const first = rejected(book, 'mine');
  await book.submit(first);
  book.ended.set(first.orderId, {
    id: first.orderId,
    account: 'buyer',
    status: 'rejected',
    quantity: 3,
    price: 10_00,
    filled: 0,
    filledNotional: 0,
    restricted: false,
    code: 'VALIDATION_ERROR',
    updatedAt: book.now,
  });
  const [again] = await book.submit(first);
  expect(again).toMatchObject({ type: 'done', report: { status: 'rejected', code: 'VALIDATION_ERROR' } });
  const other = book.place('buyer', 'buy', 1, 10_00, {}, { clientOrderId: 'mine' });
  expect((await book.submit(other))[0]).toMatchObject({
    type: 'refused',
    refusal: { reason: 'duplicate_client_order_id', existingOrderId: first.orderId },
  });
});

test('an id under which an order stands is not rejected any more', async () => {
  const { book } = watched();
  const placed = book.place('buyer', 'buy', 3, 10_00);
  await book.submit(placed);
  const { orderId, account, owner, keyId, clientOrderId, terms } = placed;
  const late = { type: 'reject', orderId, account, owner, keyId, clientOrderId, terms, code: 'FORBIDDEN' } as const;
  expect((await book.submit(late))[0]).toMatchObject({ type: 'done', report: { status: 'open' } });
});

test('a market that takes no orders records what it was refused for', async () => {
  const { book } = watched();
  const { config } = book.flow;
  book.flow.goBy({ ...config, market: { ...config.market, status: 'halted' } });
  expect((await book.submit(rejected(book)))[0]).toMatchObject({ type: 'recorded' });
});
