import { database } from '../../../data/database.ts';
import { listMarketsOfKeys } from '../../../data/identity/api-keys.ts';
import { findOrder, findOrders, type ScaledOrder } from '../../../data/orders/account-orders.ts';
import { orderStore } from '../../../data/orders/archive/order-store.ts';
import { scaledOrder } from '../../../data/orders/book-orders.ts';
import {
  findPartnerOrder,
  listPartnerOrders,
  type PartnerOrder,
  type PartnerOrderQuery,
  takenBackUnits,
} from '../../../data/partner/partner-orders.ts';
import { type PartnerOrderStatus, partnerOrderStatusOf } from '../../../domain/partner/order-status.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { projected } from '../../ledger/projected.ts';
import { settleBeforeRead, settleBook } from '../../ledger/settle-before-read.ts';
import { instrumentOf } from '../../order-entry/checks/instrument-cache.ts';
import { findOrderAtRoutes } from '../../order-entry/routes/execution-routes.ts';

/** An order as the exchange has it, with what its partner said of it. */
export interface ReadPartnerOrder extends ScaledOrder {
  readonly of: PartnerOrder;
  /** Scaled units of its trades that were taken back since. */
  readonly takenBack: number;
}

/** Markets that one read settles for keys of the organization; of others D1 shows what it has. */
const MARKETS_OF_KEYS_MAX = 200;

/** Waits until orders that keys of the organization's investors have placed stand in D1. */
async function settleKeyOrders(env: Env, organization: string): Promise<void> {
  const symbols = await listMarketsOfKeys(database(env.DB), organization, MARKETS_OF_KEYS_MAX);
  if (symbols.length === 0) return;
  await Promise.all(symbols.map((symbol) => settleBook(env, symbol)));
  await projected(env);
}

/** Whose an order is, or null. One that a key has just placed is known once it stands in D1. */
export async function findOrderOfPartner(env: Env, organization: string, id: string): Promise<PartnerOrder | null> {
  const db = database(env.DB);
  const known = await findPartnerOrder(db, organization, id);
  if (known !== null) return known;
  await settleKeyOrders(env, organization);
  return findPartnerOrder(db, organization, id);
}

/** An order of the organization with everything acknowledged in it; another's does not exist. */
export async function readPartnerOrder(
  env: Env,
  organization: string,
  id: string,
): Promise<Result<ReadPartnerOrder, 'order_not_found' | 'not_current'>> {
  const of = await findOrderOfPartner(env, organization, id);
  if (of === null) return err('order_not_found');
  const holder = { account: of.account, owner: organization };
  const open = await findOrderAtRoutes(env, holder, id);
  if (open !== null && open !== 'unknown')
    return ok({ ...scaledOrder(open), of, takenBack: await takenBackOf(env, of) });
  if (!(await settleBeforeRead(env, of.account))) return err('not_current');
  const order = await findOrder(orderStore(env), { id, ...holder });
  return order === null ? err('order_not_found') : ok({ ...order, of, takenBack: await takenBackOf(env, of) });
}

async function takenBackOf(env: Env, of: PartnerOrder): Promise<number> {
  return (await takenBackUnits(database(env.DB), [of])).get(of.id) ?? 0;
}

export interface PartnerOrderFilter extends PartnerOrderQuery {
  /** Null lists all. */
  readonly status: PartnerOrderStatus | null;
}

interface PartnerOrderPage {
  readonly orders: readonly ReadPartnerOrder[];
  /** Where the page that follows begins; null at the end. */
  readonly next: string | null;
}

/** Orders that one page looks through for those in a state. */
const LOOKED_THROUGH_MAX = 300;

/**
 * Orders of the organization, newest first. A page may be short and yet lead on.
 *
 * @returns null while the read model is behind
 */
export async function listOrdersOfPartner(env: Env, filter: PartnerOrderFilter): Promise<PartnerOrderPage | null> {
  const { limit, status, ...query } = filter;
  const page: ReadPartnerOrder[] = [];
  let before = query.before;
  // What has just been placed is on the first page.
  if (before === null) {
    if (query.security === null) await settleKeyOrders(env, query.organization);
    else await settleMarketOf(env, query.security).then(() => projected(env));
  }
  for (let looked = 0; looked < LOOKED_THROUGH_MAX; looked += limit) {
    const rows = await listPartnerOrders(database(env.DB), { ...query, before, limit: limit + 1 });
    const taken = rows.slice(0, limit);
    const read = await readAll(env, query.organization, taken);
    if (read === null) return null;
    for (const order of read) {
      before = order.of.id;
      if (status !== null && partnerOrderStatusOf(order.order.status) !== status) continue;
      page.push(order);
      if (page.length === limit) return { orders: page, next: hasMore(rows, order.of.id) ? order.of.id : null };
    }
    before = taken.at(-1)?.id ?? null;
    if (rows.length <= limit) return { orders: page, next: null };
  }
  return { orders: page, next: before };
}

function hasMore(rows: readonly PartnerOrder[], id: string): boolean {
  return rows.at(-1)?.id !== id;
}

/** What was never placed is left out. */
async function readAll(
  env: Env,
  organization: string,
  rows: readonly PartnerOrder[],
): Promise<ReadPartnerOrder[] | null> {
  await Promise.all(
    [...new Set(rows.map(({ security }) => security))].map((security) => settleMarketOf(env, security)),
  );
  if (!(await projected(env))) return null;
  const found = await findOrders(orderStore(env), organization, rows);
  const byId = new Map(found.map((order) => [order.order.id, order]));
  const takenBack = await takenBackUnits(database(env.DB), rows);
  return rows.flatMap((of) => {
    const order = byId.get(of.id);
    return order === undefined ? [] : [{ ...order, of, takenBack: takenBack.get(of.id) ?? 0 }];
  });
}

async function settleMarketOf(env: Env, assetId: string): Promise<void> {
  const instrument = await instrumentOf(env, { assetId });
  if (instrument === null || instrument === 'unavailable' || instrument.market === null) return;
  await settleBook(env, instrument.market.symbol);
}
