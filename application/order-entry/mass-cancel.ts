import type { Side } from '../../domain/orders/order.ts';
import { openBooks } from '../ledger/open-books.ts';
import { cancelInBooks } from '../order-book/cancel-in-books.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';

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
  const open = await openBooks(env, account);
  if (open === null) return { ok: false, failure: { reason: 'unavailable' }, orderIds: [] };
  const books = open.filter((symbol) => wanted.symbol === null || symbol === wanted.symbol);
  const command = { account, keyId: null, side: wanted.side, reason: 'user' } as const;
  const { orderIds, unreachable } = await cancelInBooks(env, books, command);
  return unreachable.length > 0 ? { ok: false, failure: { reason: 'unavailable' }, orderIds } : { ok: true, orderIds };
}
