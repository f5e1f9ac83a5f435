import { database } from '../../data/database.ts';
import { listBooksWithOpenOrders } from '../../data/orders.ts';
import type { Side } from '../../domain/orders/order.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import { submitToBook } from './submit-to-book.ts';

export interface MassCancellation {
  /** One market, or null for all in which the account has open orders. */
  readonly symbol: string | null;
  readonly side: Side | null;
}

export type MassCancellationOutcome =
  | { readonly ok: true; readonly orderIds: readonly string[] }
  /** Some book is out of reach; `orderIds` are those cancelled in the others. */
  | { readonly ok: false; readonly failure: OrderEntryFailure; readonly orderIds: readonly string[] };

/** Cancels every open order of the caller's account, whichever key or door it came through. */
export async function massCancel(
  { env, principal }: OrderEntryContext,
  wanted: MassCancellation,
): Promise<MassCancellationOutcome> {
  const account = principal.facts?.accountId;
  if (account === undefined) return { ok: true, orderIds: [] };
  const open = await listBooksWithOpenOrders(database(env.DB), account);
  const books = open.filter((symbol) => wanted.symbol === null || symbol === wanted.symbol);
  const answers = await Promise.all(
    books.map(async (symbol) => {
      const command = { type: 'mass_cancel', account, keyId: null, side: wanted.side, reason: 'user' } as const;
      const result = (await submitToBook(env, symbol, [command]))?.[0];
      return result?.type === 'mass_cancelled' ? result.orderIds : null;
    }),
  );
  const orderIds = answers.flatMap((ids) => ids ?? []);
  return answers.includes(null) ? { ok: false, failure: { reason: 'unavailable' }, orderIds } : { ok: true, orderIds };
}
