import { database } from '../../data/database.ts';
import { listBooksWithOpenOrders } from '../../data/orders.ts';
import { readTradingOfKey } from '../../data/portfolio-trading.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { tradingLoss } from '../../domain/portfolio/trading-loss.ts';
import type { Principal } from '../middleware/principal.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import { submitToBook } from './submit-to-book.ts';

const DAY_MS = 86_400_000;

/**
 * Why an API key may place no more orders today, or null: the settled fills of its orders since 00:00 UTC, what it still holds of them
 * valued at the last price, have lost as much as its limit allows. Then its open orders are cancelled (DESIGN 8).
 */
export async function dailyLossFailure(
  env: Env,
  principal: Principal,
  account: string,
): Promise<OrderEntryFailure | null> {
  const { keyId, dailyLossMax } = principal;
  if (keyId === null || dailyLossMax === null) return null;
  const db = database(env.DB);
  const trading = await readTradingOfKey(db, { account, keyId }, Math.floor(Date.now() / DAY_MS) * DAY_MS);
  const loss = tradingLoss(trading);
  if (loss === 0 || loss < dailyLossMax) return null;
  const books = await listBooksWithOpenOrders(db, account);
  const command = { type: 'mass_cancel', account, keyId, side: null, reason: 'revoked' } as const;
  await Promise.all(books.map((symbol) => submitToBook(env, symbol, [command])));
  const scale = trading[0]?.market.quoteScale ?? 0;
  return { reason: 'daily_loss_exceeded', loss: fromScaled(loss, scale), loss_max: fromScaled(dailyLossMax, scale) };
}
