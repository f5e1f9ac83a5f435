import { database } from '../../data/database.ts';
import { findAllOrderBooks, findOrder, findOrderBooks, type OrderLocation } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { isFinal } from '../../domain/order-state/order-state.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { BookResult, CancelCommand, CancelReason, OrderReport } from '../../durable-objects/order-book/api.ts';
import { reportOfExisting } from '../../durable-objects/order-book/api.ts';
import { openBooks } from '../ledger/open-books.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { submitToBook } from '../order-book/submit-to-book.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import { rememberedBook } from './routes/remembered-books.ts';

/** The code of orders that their own account has cancelled, one by one or all together. */
const CANCELLED_BY_ACCOUNT: CancelReason = 'user';

export type CancellationOutcome =
  | { readonly ok: true; readonly report: OrderReport; readonly symbol: string }
  | { readonly ok: false; readonly failure: OrderEntryFailure };

/**
 * Cancels orders of the caller's account and answers each by itself, in the order given. Another account's order does not exist. A
 * repetition finds an order that was cancelled by its account done; any other final order is refused.
 *
 * @param symbol the market that they must stand on, or null for any
 */
export async function cancelOrders(
  context: OrderEntryContext,
  orderIds: readonly string[],
  symbol: string | null = null,
): Promise<CancellationOutcome[]> {
  const outcomes = await cancelEach(context, orderIds, symbol);
  if (context.isRepetition !== true) return outcomes;
  return Promise.all(
    outcomes.map((outcome, index) =>
      isCancelled(outcome) ? asCancelledBefore(context, orderIds[index] as string, outcome) : outcome,
    ),
  );
}

/** The order as an earlier request of its account has cancelled it; the outcome as it is where something else did. */
async function asCancelledBefore(
  { env, principal }: OrderEntryContext,
  orderId: string,
  outcome: CancellationOutcome,
): Promise<CancellationOutcome> {
  const { owner, facts } = principal;
  const wanted = { id: orderId, account: facts?.accountId ?? '', owner };
  const order = (await findOrder(orderStore(env), wanted).catch(() => null))?.order ?? null;
  if (order === null || order.book === null || order.code !== CANCELLED_BY_ACCOUNT) return outcome;
  const report = reportOfExisting({ ...order, restricted: order.restricted === 1 });
  return { ok: true, report, symbol: order.book };
}

function isCancelled(outcome: CancellationOutcome): boolean {
  return !outcome.ok && outcome.failure.reason === 'order_not_cancellable' && outcome.failure.status === 'cancelled';
}

async function cancelEach(
  { env, principal }: OrderEntryContext,
  orderIds: readonly string[],
  symbol: string | null,
): Promise<CancellationOutcome[]> {
  const account = principal.facts?.accountId;
  const outcomes: CancellationOutcome[] = orderIds.map(() => ({ ok: false, failure: { reason: 'order_not_found' } }));
  if (account === undefined) return outcomes;

  const locations = await locate(env, account, orderIds);
  if (locations === null) return orderIds.map(() => ({ ok: false, failure: { reason: 'unavailable' } }));
  const asked = new Map<string, number[]>();
  const open: number[] = [];
  for (const [index, orderId] of orderIds.entries()) {
    const location = locations.get(orderId) as Location;
    const books = location.books.filter((book) => symbol === null || book === symbol);
    if (location.final !== null && books.length > 0)
      outcomes[index] = { ok: false, failure: { reason: 'order_not_cancellable', status: location.final } };
    if (location.final !== null) continue;
    open.push(index);
    for (const book of books) asked.set(book, [...(asked.get(book) ?? []), index]);
  }
  await Promise.all(
    Array.from(asked, async ([book, indexes]) => {
      const commands = indexes.map(
        (index): CancelCommand => ({ type: 'cancel', orderId: orderIds[index] as string, account }),
      );
      const results = await submitToBook(env, book, commands);
      for (const [at, index] of indexes.entries()) {
        outcomes[index] = telling(outcomes[index] as CancellationOutcome, outcomeOf(results?.[at], book));
      }
    }),
  );
  const forgotten = open.filter((index) => isNotFound(outcomes[index]));
  if (forgotten.length === 0) return outcomes;
  const explained = await explainForgotten(
    env,
    account,
    symbol,
    forgotten.map((index) => orderIds[index] as string),
  );
  for (const index of forgotten) {
    const failure = explained.get(orderIds[index] as string);
    if (failure !== undefined) outcomes[index] = { ok: false, failure };
  }
  return outcomes;
}

/** Where an order is: the books that may have it open, or the state that it ended in and the book where that was. */
interface Location {
  readonly books: readonly string[];
  readonly final: OrderStatus | null;
}

/**
 * Where each order is: remembered by this isolate, else as D1 has it, else (just acknowledged, or D1 is away) in one of the books in
 * which the account has open orders. Null when that cannot be known now.
 */
async function locate(env: Env, account: string, orderIds: readonly string[]): Promise<Map<string, Location> | null> {
  const locations = new Map<string, Location>();
  for (const orderId of orderIds) {
    const book = rememberedBook(orderId, account);
    if (book !== null) locations.set(orderId, { books: [book], final: null });
  }
  const notRemembered = orderIds.filter((orderId) => !locations.has(orderId));
  for (const { id, book, status } of (await readStored(env, account, notRemembered)) ?? []) {
    const final = isFinal(status) || book === null ? status : null;
    locations.set(id, { books: book === null ? [] : [book], final });
  }
  const unknown = notRemembered.filter((orderId) => !locations.has(orderId));
  if (unknown.length === 0) return locations;
  const books = await openBooks(env, account);
  if (books === null) return null;
  for (const orderId of unknown) locations.set(orderId, { books, final: null });
  return locations;
}

/** Orders as D1 shows them; null while it is away. */
async function readStored(env: Env, account: string, orderIds: readonly string[]): Promise<OrderLocation[] | null> {
  if (orderIds.length === 0) return [];
  try {
    return await findOrderBooks(database(env.DB), account, orderIds);
  } catch {
    return null;
  }
}

/** A book forgets orders that are final; D1, once it shows everything, or the archive says what they came to. */
async function explainForgotten(
  env: Env,
  account: string,
  symbol: string | null,
  orderIds: readonly string[],
): Promise<Map<string, OrderEntryFailure>> {
  const rows = (await settleBeforeRead(env, account)) ? await readEnded(env, account, orderIds) : null;
  if (rows === null) return new Map(orderIds.map((orderId) => [orderId, { reason: 'unavailable' }]));
  return new Map(
    rows
      .filter(({ book }) => symbol === null || book === symbol)
      .map(({ id, status }) => [id, { reason: 'order_not_cancellable', status }]),
  );
}

/** Orders wherever they stand; null while D1 or the archive is away. */
async function readEnded(env: Env, account: string, orderIds: readonly string[]): Promise<OrderLocation[] | null> {
  try {
    return await findAllOrderBooks(orderStore(env), account, orderIds);
  } catch {
    return null;
  }
}

/** Of the answers of several books, the one of the book that had the order. */
function telling(known: CancellationOutcome, answer: CancellationOutcome): CancellationOutcome {
  return known.ok || isNotFound(answer) ? known : answer;
}

function isNotFound(outcome: CancellationOutcome | undefined): boolean {
  return outcome?.ok === false && outcome.failure.reason === 'order_not_found';
}

function outcomeOf(result: BookResult | undefined, symbol: string): CancellationOutcome {
  switch (result?.type) {
    case 'done':
      return { ok: true, report: result.report, symbol };
    case 'refused':
      return { ok: false, failure: failureOf(result.refusal) };
    case 'unavailable':
      return { ok: false, failure: { reason: 'unavailable' } };
    case undefined:
      return { ok: false, failure: { reason: 'outcome_unknown' } };
    case 'mass_cancelled':
      throw new Error(`a cancellation was answered as a ${result.type}`);
  }
}

function failureOf(refusal: Extract<BookResult, { type: 'refused' }>['refusal']): OrderEntryFailure {
  if (refusal.reason === 'order_not_found' || refusal.reason === 'order_not_cancellable') return refusal;
  throw new Error(`a cancellation was refused for ${refusal.reason}`);
}
