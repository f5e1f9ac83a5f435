import { openBooks } from '../../application/ledger/open-books.ts';
import { cancelInBooks } from '../../application/order-book/cancel-in-books.ts';
import { database } from '../../data/database.ts';
import { readDailyLoss } from '../../data/portfolio-trading.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import type { Principal } from '../middleware/principal.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';

/**
 * Why an API key may place no more orders today, or null: since 00:00 UTC the settled fills of its orders, and what they had left it
 * with before, valued at the last price, have lost as much as its limit allows. Then its open orders are cancelled (DESIGN 8).
 */
export async function dailyLossFailure(
  env: Env,
  principal: Principal,
  account: string,
): Promise<OrderEntryFailure | null> {
  const { keyId, dailyLossMax } = principal;
  if (keyId === null || dailyLossMax === null) return null;
  const { loss, scale } = await readDailyLoss(database(env.DB), { account, keyId }, Date.now());
  if (loss === 0 || loss < dailyLossMax) return null;
  const books = (await openBooks(env, account)) ?? [];
  await cancelInBooks(env, books, { account, keyId, side: null, reason: 'revoked' });
  return { reason: 'daily_loss_exceeded', loss: fromScaled(loss, scale), loss_max: fromScaled(dailyLossMax, scale) };
}
