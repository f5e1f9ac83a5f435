import { eq, sql } from 'drizzle-orm';
import { type Quota, windowStart } from '../../../domain/events/tenant-quotas.ts';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { tenantUsage } from '../schema.ts';

export type UsageRow = typeof tenantUsage.$inferSelect;

/** A quota with how much of it is asked for. */
export interface QuotaTaking extends Quota {
  readonly amount: number;
}

/** Takes all of it, or nothing: false where one of the quotas has not so much left. */
export async function takeUsage(
  db: EventsDatabase,
  { tenant, now }: { readonly tenant: string; readonly now: number },
  takings: readonly QuotaTaking[],
): Promise<boolean> {
  const asked = JSON.stringify(
    takings.map(({ resource, window, amount, amount_max }) => ({
      resource,
      window,
      amount,
      amount_max,
      starts_at: windowStart(window, now),
    })),
  );
  const [taken] = await sqlBatch(db, [
    sql`
      INSERT INTO tenant_usage (tenant, resource, "window", starts_at, amount)
      SELECT ${tenant}, value ->> 'resource', value ->> 'window', value ->> 'starts_at', value ->> 'amount'
      FROM json_each(${asked})
      WHERE NOT EXISTS (
        SELECT 1 FROM json_each(${asked}) AS other LEFT JOIN tenant_usage AS used
          ON used.tenant = ${tenant} AND used.resource = other.value ->> 'resource'
          AND used."window" = other.value ->> 'window' AND used.starts_at >= other.value ->> 'starts_at'
        WHERE coalesce(used.amount, 0) + (other.value ->> 'amount') > other.value ->> 'amount_max'
      )
      ON CONFLICT (tenant, resource, "window") DO UPDATE SET
        amount = excluded.amount + CASE WHEN tenant_usage.starts_at >= excluded.starts_at THEN tenant_usage.amount ELSE 0 END,
        starts_at = max(tenant_usage.starts_at, excluded.starts_at)
      RETURNING 1`,
  ]);
  return (taken?.length ?? 0) > 0;
}

/** What a tenant has used, each in the window in which it last used any. */
export async function usageOf(db: EventsDatabase, tenant: string): Promise<UsageRow[]> {
  return db.select().from(tenantUsage).where(eq(tenantUsage.tenant, tenant));
}
