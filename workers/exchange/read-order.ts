import { database } from '../../data/database.ts';
import { findOrder, type ScaledOrder } from '../../data/orders.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { settleBeforeRead } from '../order-entry/settle-before-read.ts';

/** The caller's order with everything acknowledged in it, or null: another user's order does not exist. */
export async function readOrder(c: AppContext, id: string): Promise<ScaledOrder | null> {
  const { facts, owner } = principalOf(c);
  if (facts === null) return null;
  await settleBeforeRead(c.env, facts.accountId);
  return findOrder(database(c.env.DB), { id, account: facts.accountId, owner });
}
