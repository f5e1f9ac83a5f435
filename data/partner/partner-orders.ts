import { and, desc, eq, lt } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { partnerOrders } from '../schema/investors.ts';

export type PartnerOrder = Readonly<typeof partnerOrders.$inferSelect>;

/** Writes down whose an order is; one under this id stays as it is. */
export async function addPartnerOrder(db: Database, order: PartnerOrder): Promise<void> {
  await db.insert(partnerOrders).values(order).onConflictDoNothing();
}

/** An order of the organization's, or null. */
export async function findPartnerOrder(db: Database, organization: string, id: string): Promise<PartnerOrder | null> {
  const found = db
    .select()
    .from(partnerOrders)
    .where(and(eq(partnerOrders.id, id), eq(partnerOrders.organization, organization)));
  return (await found.get()) ?? null;
}

export interface PartnerOrderQuery {
  readonly organization: string;
  readonly security: string | null;
  readonly investor: string | null;
  /** Id of the last order of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** Orders of an organization, newest first. */
export function listPartnerOrders(
  db: Database,
  { organization, security, investor, before, limit }: PartnerOrderQuery,
): Promise<PartnerOrder[]> {
  return db
    .select()
    .from(partnerOrders)
    .where(
      and(
        eq(partnerOrders.organization, organization),
        security === null ? undefined : eq(partnerOrders.security, security),
        investor === null ? undefined : eq(partnerOrders.investor, investor),
        before === null ? undefined : lt(partnerOrders.id, before),
      ),
    )
    .orderBy(desc(partnerOrders.id))
    .limit(limit);
}
