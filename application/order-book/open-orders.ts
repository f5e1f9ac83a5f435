import type { OrderPage } from '../../data/orders/archive/order-page.ts';
import type { BookOrder } from '../../data/orders/book-orders.ts';
import type { OpenOrderPlace } from '../../domain/ledger/outcomes.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { MarketScales, OpenOrder, OpenOrders, OpenOrdersQuery } from '../../durable-objects/order-book/api.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';
import { openBooks } from '../ledger/open-books.ts';
import { readBook } from './read-book.ts';

/** Whose orders are read. */
export interface OrderHolder {
  readonly account: string;
  /** Its organization. */
  readonly owner: string;
}

/** Conditions on open orders; null for none. */
export interface OpenOrdersFilter {
  /** Of those that are not final. */
  readonly statuses: readonly OrderStatus[] | null;
  readonly book: string | null;
  readonly assetId: string | null;
  readonly clientOrderId: string | null;
  readonly before: string | null;
  readonly limit: number;
}

/** Books that are asked at the same time: each may answer with as many orders as are wanted in all. */
const BOOKS_MAX = 4;

/**
 * An open order of the account, from its book: with everything acknowledged in it, whether D1 shows it or not. Null when none is open
 * under this id, `unknown` when ledger or book cannot say.
 */
export async function findOpenOrder(
  env: LedgerEnv,
  holder: OrderHolder,
  orderId: string,
): Promise<BookOrder | null | 'unknown'> {
  const place = await placeOf(env, holder.account, { orderId });
  return place === null || place === 'unknown' ? place : findOpenOrderAt(env, holder, place);
}

/**
 * Open orders of the account, newest first, from the books in which the ledger has some. Null when ledger or one of the books cannot say:
 * what is asked for then stands in D1, once that has caught up.
 */
export async function listOpenOrders(
  env: LedgerEnv,
  holder: OrderHolder,
  filter: OpenOrdersFilter,
): Promise<OrderPage<BookOrder> | null> {
  if (filter.clientOrderId !== null) return listCalled(env, holder, filter, filter.clientOrderId);
  const { statuses, book, assetId, before, limit } = filter;
  const books = await openBooks(env, holder.account);
  if (books === null) return null;
  const query: OpenOrdersQuery = { orderId: null, statuses, before, limit: limit + 1 };
  const asked = books.filter((symbol) => book === null || symbol === book);
  let found: { readonly order: OpenOrder; readonly market: MarketScales }[] = [];
  for (let at = 0; at < asked.length; at += BOOKS_MAX) {
    const part = asked.slice(at, at + BOOKS_MAX);
    const answers = await Promise.all(part.map((symbol) => askBook(env, symbol, holder.account, query)));
    if (answers.includes(null)) return null;
    found = [
      ...found,
      ...answers.flatMap((answer) => answer?.orders.map((order) => ({ order, market: answer.market })) ?? []),
    ]
      .filter(({ market }) => assetId === null || market.baseAsset === assetId)
      .sort((a, b) => (a.order.orderId < b.order.orderId ? 1 : -1))
      .slice(0, limit + 1);
  }
  const shown = found.slice(0, limit);
  const ids = shown.map(({ order }) => order.orderId);
  const called = ids.length === 0 ? [] : await askLedger(env, (ledger) => ledger.clientOrderIds(ids));
  if (called === null) return null;
  const orders = shown.map(({ order, market }, at) => bookOrder(holder, order, market, called[at] ?? null));
  return { orders, next: found.length > limit ? (ids.at(-1) ?? null) : null };
}

/** Id of the open order of the account that carries the client order id; null when none does, `unknown` when the ledger cannot say. */
export async function findOpenOrderCalled(
  env: LedgerEnv,
  account: string,
  clientOrderId: string,
): Promise<string | null | 'unknown'> {
  const place = await placeOf(env, account, { clientOrderId });
  return place === null || place === 'unknown' ? place : place.orderId;
}

/** Open orders that carry a client order id: one at most. */
async function listCalled(
  env: LedgerEnv,
  holder: OrderHolder,
  { statuses, book, assetId, before }: OpenOrdersFilter,
  clientOrderId: string,
): Promise<OrderPage<BookOrder> | null> {
  const place = await placeOf(env, holder.account, { clientOrderId });
  if (place === 'unknown') return null;
  const found = place === null ? null : await findOpenOrderAt(env, holder, place);
  if (found === 'unknown') return null;
  const isWanted =
    found !== null &&
    (statuses === null || statuses.includes(found.order.status)) &&
    (book === null || found.order.book === book) &&
    (assetId === null || found.order.assetId === assetId) &&
    (before === null || found.order.id < before);
  return { orders: isWanted ? [found] : [], next: null };
}

/** Scales of a market as its book knows them; null when it cannot say. */
export async function readMarketScales(env: LedgerEnv, symbol: string): Promise<MarketScales | null> {
  const nothing = { orderId: '', statuses: null, before: null, limit: 0 };
  return (await askBook(env, symbol, '', nothing))?.market ?? null;
}

async function placeOf(
  env: LedgerEnv,
  account: string,
  wanted: { readonly orderId: string } | { readonly clientOrderId: string },
): Promise<OpenOrderPlace | null | 'unknown'> {
  const answer = await askLedger(env, async (ledger) => ({ place: await ledger.openOrder(account, wanted) }));
  return answer === null ? 'unknown' : answer.place;
}

/** An open order whose place is known, from its book alone. Null when it is not open there, or no longer; `unknown` when the book cannot say. */
export async function findOpenOrderAt(
  env: LedgerEnv,
  holder: OrderHolder,
  { orderId, book, clientOrderId }: OpenOrderPlace,
): Promise<BookOrder | null | 'unknown'> {
  const answer = await askBook(env, book, holder.account, { orderId, statuses: null, before: null, limit: 1 });
  if (answer === null) return 'unknown';
  const [order] = answer.orders;
  return order === undefined ? null : bookOrder(holder, order, answer.market, clientOrderId);
}

async function askBook(
  env: LedgerEnv,
  symbol: string,
  account: string,
  query: OpenOrdersQuery,
): Promise<OpenOrders | null> {
  try {
    return await readBook(env, symbol, (book) => book.openOrders(account, query));
  } catch {
    return null;
  }
}

/** As D1 shows the order once it has caught up. */
function bookOrder(
  { owner }: OrderHolder,
  order: OpenOrder,
  market: MarketScales,
  clientOrderId: string | null,
): BookOrder {
  const { orderId, restricted, preIpo = false, ...state } = order;
  return {
    market,
    order: {
      ...state,
      id: orderId,
      owner,
      book: market.symbol,
      assetId: market.baseAsset,
      open: 1,
      clientOrderId,
      reserveAsset: order.side === 'buy' ? market.quoteAsset : market.baseAsset,
      restricted: Number(restricted),
      preIpo: Number(preIpo),
      createdAt: order.updatedAt,
      executedAt: null,
      cancelledAt: null,
    },
  };
}
