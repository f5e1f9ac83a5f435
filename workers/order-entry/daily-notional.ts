import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { readBook } from '../../application/order-book/read-book.ts';
import { database } from '../../data/database.ts';
import { releaseKeyNotional, reserveKeyNotional, usedKeyNotional } from '../../data/key-notionals.ts';
import { type Market, notional } from '../../domain/markets/market.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import type { OrderTerms } from '../../domain/orders/order.ts';
import { collaredPrice, isNotionalExact } from '../../durable-objects/order-book/admission.ts';
import type { Principal } from '../middleware/principal.ts';
import type { CheckedOrder } from './checked-order.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';

const DAY_MS = 86_400_000;

/**
 * Counts an order against the daily notional limit of its API key, or says why it does not fit. The same order counts once, however
 * often it is tried. What is not placed after all is given back by `releaseDailyNotional`.
 */
export async function reserveDailyNotional(
  env: Env,
  principal: Principal,
  order: CheckedOrder,
): Promise<OrderEntryFailure | null> {
  const { market } = order.instrument;
  if (principal.dailyNotionalMax === null || market === null) return null;
  const price = await priceOf(env, order, market);
  if (price === null) return { reason: 'no_reference_price' };
  return reserve(env, principal, market, { orderId: order.request.orderId, price, quantity: order.terms.quantity });
}

/** The same for the terms that an amendment gives an order. Terms that are no order's are for the book to refuse. */
export async function reserveAmendedNotional(
  env: Env,
  principal: Principal,
  market: Market,
  order: { readonly orderId: string; readonly price: number; readonly quantity: number },
): Promise<OrderEntryFailure | null> {
  return order.quantity > 0 && order.price > 0 ? reserve(env, principal, market, order) : null;
}

/**
 * Whether an order would fit now; counts nothing.
 *
 * @param last last trade price of the book, null before the first
 */
export async function dailyNotionalFailure(
  env: Env,
  { keyId, dailyNotionalMax, facts }: Principal,
  market: Market,
  terms: OrderTerms,
  last: number | null,
): Promise<OrderEntryFailure | null> {
  if (keyId === null || dailyNotionalMax === null || facts === null) return null;
  const price = collaredPrice(terms, market, last);
  if (price === null) return { reason: 'no_reference_price' };
  if (!isNotionalExact(market, price, terms.quantity)) return { reason: 'notional_too_large' };
  const amount = notional(market, price, terms.quantity);
  await settleBeforeRead(env, facts.accountId);
  const used = await usedKeyNotional(database(env.DB), keyId, today());
  return used + amount <= dailyNotionalMax ? null : exceeded(market, amount, Math.max(0, dailyNotionalMax - used));
}

export async function releaseDailyNotional(env: Env, principal: Principal, orderId: string): Promise<void> {
  if (principal.dailyNotionalMax !== null) await releaseKeyNotional(database(env.DB), orderId);
}

async function reserve(
  env: Env,
  { keyId, dailyNotionalMax, facts }: Principal,
  market: Market,
  { orderId, price, quantity }: { readonly orderId: string; readonly price: number; readonly quantity: number },
): Promise<OrderEntryFailure | null> {
  if (keyId === null || dailyNotionalMax === null || facts === null) return null;
  if (!isNotionalExact(market, price, quantity)) return { reason: 'notional_too_large' };
  const amount = notional(market, price, quantity);
  const wanted = { orderId, keyId, day: today(), notional: amount, limit: dailyNotionalMax };
  const db = database(env.DB);
  if ((await reserveKeyNotional(db, wanted)) === null) return null;
  // Orders that have ended count for what they filled; D1 may still have them open.
  await settleBeforeRead(env, facts.accountId);
  const free = await reserveKeyNotional(db, wanted);
  return free === null ? null : exceeded(market, amount, free);
}

/** The limit, or the collar that a market order or triggered stop never trades beyond. */
async function priceOf(env: Env, { terms }: CheckedOrder, market: Market): Promise<number | null> {
  if (terms.price !== null) return terms.price;
  const { last } = await readBook(env, market.symbol, (book) => book.ticker());
  return collaredPrice(terms, market, last);
}

function exceeded({ quoteScale }: Market, required: number, available: number): OrderEntryFailure {
  return {
    reason: 'daily_notional_exceeded',
    required: fromScaled(required, quoteScale),
    available: fromScaled(available, quoteScale),
  };
}

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}
