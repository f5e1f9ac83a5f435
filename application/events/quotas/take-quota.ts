import { eventsDatabase } from '../../../data/events/database.ts';
import { type QuotaTaking, takeUsage, usageOf } from '../../../data/events/quotas/tenant-usage.ts';
import {
  type Quota,
  type QuotaResource,
  TENANT_QUOTAS,
  windowEnd,
  windowStart,
} from '../../../domain/events/tenant-quotas.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Refusal, refusal } from '../refusal.ts';

/** How much of a quota is used, in the window of now. */
export interface UsedQuota extends Quota {
  readonly used: number;
  /** Unix milliseconds. */
  readonly endsAt: number;
}

/**
 * Counts what a request sends against the quotas of its tenant, all of it or nothing, before anything of it is read, decoded or stored. What is refused
 * afterwards stays counted: it was looked at.
 */
export async function takeQuota(
  env: Env,
  tenant: string,
  amounts: Partial<Readonly<Record<QuotaResource, number>>>,
): Promise<Result<null, Refusal>> {
  const now = Date.now();
  const takings = TENANT_QUOTAS.flatMap((quota): QuotaTaking[] => {
    const amount = amounts[quota.resource] ?? 0;
    return amount === 0 ? [] : [{ ...quota, amount }];
  });
  const db = eventsDatabase(env.EVENTS_DB);
  if (takings.length === 0 || (await takeUsage(db, { tenant, now }, takings))) return ok(null);
  const used = await readUsage(env, tenant, now);
  const full = used.findLast(
    (quota) => quota.used + (amounts[quota.resource] ?? 0) > quota.amount_max && (amounts[quota.resource] ?? 0) > 0,
  );
  const endsAt = full?.endsAt ?? windowEnd('minute', now);
  const message = 'the tenant has used up what it may in this time';
  const details = full && {
    reason: 'quota',
    resource: full.resource,
    window: full.window,
    amount_max: full.amount_max,
  };
  return err(
    refusal(apiError('RATE_LIMIT_EXCEEDED', message, details), Math.max(1, Math.ceil((endsAt - now) / 1_000))),
  );
}

/** Each quota of a tenant with what is used of it. */
export async function readUsage(env: Env, tenant: string, now: number): Promise<UsedQuota[]> {
  const rows = await usageOf(eventsDatabase(env.EVENTS_DB), tenant);
  return TENANT_QUOTAS.map((quota) => {
    const row = rows.find(({ resource, window }) => resource === quota.resource && window === quota.window);
    const isCurrent = row !== undefined && row.startsAt >= windowStart(quota.window, now);
    return { ...quota, used: isCurrent ? row.amount : 0, endsAt: windowEnd(quota.window, now) };
  });
}
