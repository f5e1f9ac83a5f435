import { database } from '../../data/database.ts';
import { findOrderBooks } from '../../data/orders.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { BookResult, CancelCommand, OrderReport } from '../../durable-objects/order-book/api.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import { rememberedBook } from './remembered-books.ts';
import { settleBeforeRead } from './settle-before-read.ts';
import { submitToBook } from './submit-to-book.ts';

export type CancellationOutcome =
  | { readonly ok: true; readonly report: OrderReport; readonly symbol: string }
  | { readonly ok: false; readonly failure: OrderEntryFailure };

/**
 * Cancels orders of the caller's account and answers each by itself, in the order given. Another account's order does not exist.
 *
 * @param symbol the market that they must stand on, or null for any
 */
export async function cancelOrders(
  { env, principal }: OrderEntryContext,
  orderIds: readonly string[],
  symbol: string | null = null,
): Promise<CancellationOutcome[]> {
  const account = principal.facts?.accountId;
  const outcomes: CancellationOutcome[] = orderIds.map(() => ({ ok: false, failure: { reason: 'order_not_found' } }));
  if (account === undefined) return outcomes;

  const locations = await locate(env, account, orderIds);
  const open = new Map<string, number[]>();
  for (const [index, orderId] of orderIds.entries()) {
    const location = locations.get(orderId);
    if (location === undefined || (symbol !== null && location.symbol !== symbol)) continue;
    if (location.open) open.set(location.symbol, [...(open.get(location.symbol) ?? []), index]);
    else outcomes[index] = { ok: false, failure: { reason: 'order_not_cancellable', status: location.status } };
  }
  await Promise.all(
    Array.from(open, async ([symbol, indexes]) => {
      const commands = indexes.map(
        (index): CancelCommand => ({ type: 'cancel', orderId: orderIds[index] as string, account }),
      );
      const results = await submitToBook(env, symbol, commands);
      for (const [at, index] of indexes.entries()) outcomes[index] = outcomeOf(results?.[at], symbol);
    }),
  );
  await explainForgotten(env, account, orderIds, outcomes, new Set([...open.values()].flat()));
  return outcomes;
}

type Location =
  | { readonly open: true; readonly symbol: string }
  | { readonly open: false; readonly symbol: string | null; readonly status: OrderStatus };

/** Where each order is: remembered by this isolate, else as the ledger has it. */
async function locate(env: Env, account: string, orderIds: readonly string[]): Promise<Map<string, Location>> {
  const locations = new Map<string, Location>();
  const unknown: string[] = [];
  for (const orderId of orderIds) {
    const symbol = rememberedBook(orderId, account);
    if (symbol === null) unknown.push(orderId);
    else locations.set(orderId, { open: true, symbol });
  }
  if (unknown.length === 0) return locations;
  for (const { id, book, status } of await findOrderBooks(database(env.DB), account, unknown)) {
    const final = ['filled', 'cancelled', 'expired', 'rejected'].includes(status);
    locations.set(
      id,
      final || book === null
        ? { open: false, symbol: book, status: status as OrderStatus }
        : { open: true, symbol: book },
    );
  }
  return locations;
}

/** A book forgets orders that are final; the ledger, once settled, says what they came to. */
async function explainForgotten(
  env: Env,
  account: string,
  orderIds: readonly string[],
  outcomes: CancellationOutcome[],
  asked: ReadonlySet<number>,
): Promise<void> {
  const forgotten = [...asked].filter((index) => {
    const outcome = outcomes[index];
    return outcome?.ok === false && outcome.failure.reason === 'order_not_found';
  });
  if (forgotten.length === 0) return;
  await settleBeforeRead(env, account);
  const ids = forgotten.map((index) => orderIds[index] as string);
  const statuses = new Map(
    (await findOrderBooks(database(env.DB), account, ids)).map(({ id, status }) => [id, status]),
  );
  for (const index of forgotten) {
    const status = statuses.get(orderIds[index] as string);
    if (status !== undefined)
      outcomes[index] = { ok: false, failure: { reason: 'order_not_cancellable', status: status as OrderStatus } };
  }
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
