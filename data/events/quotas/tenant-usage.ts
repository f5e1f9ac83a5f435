import { eq, sql } from 'drizzle-orm';
import { type Quota, windowStart } from '../../../domain/events/tenant-quotas.ts';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { tenantUsage } from '../schema.ts';

export type UsageRow = typeof tenantUsage.$inferSelect;

/** A quota with how much of it is asked for. */
export interface QuotaTaking extends Quota {
  /** Whose: the tenant, or somebody of it (`userHolder`). */
  readonly holder: string;
  readonly amount: number;
}

/** In the place of a tenant's name a user of it. No tenant has such a name: what it escapes is followed by digits (`tenantName`). */
export function userHolder(tenant: string, userId: string): string {
  return `${tenant}%user/${userId}`;
}

/** Takes all of it, or nothing: false where one of the quotas has not so much left. */
export async function takeUsage(db: EventsDatabase, now: number, takings: readonly QuotaTaking[]): Promise<boolean> {
  const asked = JSON.stringify(
    takings.map(({ holder, resource, window, amount, amount_max }) => ({
      holder,
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
      SELECT value ->> 'holder', value ->> 'resource', value ->> 'window', value ->> 'starts_at', value ->> 'amount'
      FROM json_each(${asked})
      WHERE NOT EXISTS (
        SELECT 1 FROM json_each(${asked}) AS other LEFT JOIN tenant_usage AS used
          ON used.tenant = other.value ->> 'holder' AND used.resource = other.value ->> 'resource'
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

/** Gives back what was taken, as far as its window has not ended. */
export async function giveUsageBack(
  db: EventsDatabase,
  takenAt: number,
  takings: readonly QuotaTaking[],
): Promise<void> {
  const given = JSON.stringify(
    takings.map(({ holder, resource, window, amount }) => ({
      holder,
      resource,
      window,
      amount,
      starts_at: windowStart(window, takenAt),
    })),
  );
  await sqlBatch(db, [
    sql`
      UPDATE tenant_usage SET amount = max(0, tenant_usage.amount - given.value ->> 'amount')
      FROM json_each(${given}) AS given
      WHERE tenant_usage.tenant = given.value ->> 'holder' AND tenant_usage.resource = given.value ->> 'resource'
        AND tenant_usage."window" = given.value ->> 'window' AND tenant_usage.starts_at = given.value ->> 'starts_at'`,
  ]);
}

/** What a tenant has used, each in the window in which it last used any. */
export async function usageOf(db: EventsDatabase, tenant: string): Promise<UsageRow[]> {
  return db.select().from(tenantUsage).where(eq(tenantUsage.tenant, tenant));
}
