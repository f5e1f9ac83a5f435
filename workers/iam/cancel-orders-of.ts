import { database } from '../../data/database.ts';
import { listBooksWithOpenOrders } from '../../data/orders.ts';
import { submitToBook } from '../order-entry/submit-to-book.ts';

export interface CancelledOrders {
  readonly orderIds: string[];
  /** Symbols of books that did not answer. */
  readonly unreachable: string[];
}

/**
 * Cancels what a revoked credential has on the books: the orders of one key, or (`keyId: null`) all of the account. Call it once the
 * revocation stands in D1, so that no order is admitted after it.
 */
export async function cancelOrdersOf(
  env: Env,
  { account, keyId }: { readonly account: string; readonly keyId: string | null },
): Promise<CancelledOrders> {
  const cancelled: CancelledOrders = { orderIds: [], unreachable: [] };
  const symbols = await listBooksWithOpenOrders(database(env.DB), account);
  await Promise.all(
    symbols.map(async (symbol) => {
      const results = await submitToBook(env, symbol, [
        { type: 'mass_cancel', account, keyId, side: null, reason: 'revoked' },
      ]);
      const result = results?.[0];
      if (result?.type === 'mass_cancelled') cancelled.orderIds.push(...result.orderIds);
      else cancelled.unreachable.push(symbol);
    }),
  );
  return cancelled;
}
