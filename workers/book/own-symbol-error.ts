import { openBooks } from '../../application/ledger/open-books.ts';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import type { OrderEntryContext } from '../../application/order-entry/order-entry-context.ts';
import { database } from '../../data/database.ts';
import { hasOrdersOn } from '../../data/orders/account-orders.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { marketVisibleTo } from './visible-market.ts';

/**
 * Why the caller cannot narrow what it asks of its own account to this symbol, or null. One that must not be shown is answered like one
 * that does not exist, unless the account has placed orders there: these it may always read and cancel.
 */
export async function ownSymbolError({ env, principal }: OrderEntryContext, symbol: string): Promise<ApiError | null> {
  const visible = await marketVisibleTo(env, principal, symbol);
  if (visible.ok) return null;
  const account = principal.facts?.accountId ?? null;
  return account !== null && (await hasPlacedOrders(env, account, symbol)) ? null : visible.error;
}

async function hasPlacedOrders(env: Env, account: string, symbol: string): Promise<boolean> {
  if ((await openBooks(env, account))?.includes(symbol)) return true;
  // The newest of them may not stand in D1 yet.
  await settleBeforeRead(env, account);
  return hasOrdersOn(database(env.DB), account, symbol);
}
