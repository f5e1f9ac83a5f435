import { type ArchivedQuery, listArchivedOrders } from './archived-orders.ts';
import type { ArchivedOrder } from './order-slice.ts';
import type { OrderStore } from './order-store.ts';

/** One page of a listing, newest first. A page may be short, even empty, and yet lead on. */
export interface OrderPage<Order> {
  readonly orders: readonly Order[];
  /** Orders below this id follow; null when there are no more. */
  readonly next: string | null;
}

export interface PageTerms<Order> {
  /** What D1 has, newest first: one more than the page shows, where there are so many. */
  readonly newer: readonly Order[];
  idOf(order: Order): string;
  readonly query: Omit<ArchivedQuery, 'limit'>;
  /** Whether final orders are wanted at all. */
  readonly hasArchived: boolean;
  /** Archived orders as the listing shows them; it may leave out some. */
  complete(archived: readonly ArchivedOrder[]): Promise<readonly Order[]>;
  readonly limit: number;
}

/**
 * Goes on from D1 into the archive, by falling id. D1 must have been read before this is called: an order that was moved meanwhile is then
 * seen twice, and shown once, but never missed.
 *
 * @throws OrderArchiveUnavailable
 */
export async function pageWithArchived<Order>(store: OrderStore, terms: PageTerms<Order>): Promise<OrderPage<Order>> {
  const { newer, idOf, query, limit } = terms;
  // Below what a whole page from D1 shows nothing is wanted.
  const last = newer.length > limit ? newer[limit - 1] : undefined;
  const after = last === undefined ? query.after : idOf(last);
  const archived = terms.hasArchived
    ? await listArchivedOrders(store, { ...query, after, limit: limit + 1 })
    : { orders: [], reached: null };
  const byId = new Map<string, Order>();
  for (const order of [...newer, ...(await terms.complete(archived.orders))]) byId.set(idOf(order), order);
  const { reached } = archived;
  const known = [...byId]
    .filter(([id]) => reached === null || id >= reached)
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([, order]) => order);
  const orders = known.slice(0, limit);
  const end = orders.at(-1);
  return { orders, next: known.length > limit && end !== undefined ? idOf(end) : reached };
}
