import { eventsDatabase } from '../../../data/events/database.ts';
import {
  giveUsageBack,
  type QuotaTaking,
  takeUsage,
  usageOf,
  userHolder,
} from '../../../data/events/quotas/tenant-usage.ts';
import {
  type Quota,
  type QuotaResource,
  TENANT_QUOTAS,
  USER_QUOTAS,
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

type Amounts = Partial<Readonly<Record<QuotaResource, number>>>;

/** What was taken, by which it can be given back. */
export interface TakenQuota {
  /** Unix milliseconds. */
  readonly at: number;
}

/**
 * Counts what a request sends against the quotas of its tenant, all of it or nothing, before anything of it is read, decoded or stored. What is refused
 * afterwards stays counted: it was looked at.
 *
 * @param userId who sends it, where one user may take only so much of it
 */
export async function takeQuota(
  env: Env,
  tenant: string,
  amounts: Amounts,
  userId: string | null = null,
): Promise<Result<TakenQuota, Refusal>> {
  const now = Date.now();
  const takings = takingsOf(tenant, amounts, userId);
  const db = eventsDatabase(env.EVENTS_DB);
  if (takings.length === 0 || (await takeUsage(db, now, takings))) return ok({ at: now });
  const full = fullAmong(takings, await readUsage(env, tenant, now));
  const endsAt = windowEnd(full?.window ?? 'minute', now);
  const isUsers = full !== undefined && full.holder !== tenant;
  const message = `the ${isUsers ? 'user' : 'tenant'} has used up what it may in this time`;
  const details = full && {
    reason: isUsers ? 'quota_of_user' : 'quota',
    resource: full.resource,
    window: full.window,
    amount_max: full.amount_max,
  };
  return err(
    refusal(apiError('RATE_LIMIT_EXCEEDED', message, details), Math.max(1, Math.ceil((endsAt - now) / 1_000))),
  );
}

/** Gives back what was taken for a request of which nothing was looked at, and which comes again. */
export async function giveQuotaBack(env: Env, tenant: string, amounts: Amounts, { at }: TakenQuota): Promise<void> {
  await giveUsageBack(eventsDatabase(env.EVENTS_DB), at, takingsOf(tenant, amounts, null));
}

function takingsOf(tenant: string, amounts: Amounts, userId: string | null): QuotaTaking[] {
  const quotas = [
    ...TENANT_QUOTAS.map((quota) => ({ ...quota, holder: tenant })),
    ...(userId === null ? [] : USER_QUOTAS.map((quota) => ({ ...quota, holder: userHolder(tenant, userId) }))),
  ];
  return quotas.flatMap((quota) => {
    const amount = amounts[quota.resource] ?? 0;
    return amount === 0 ? [] : [{ ...quota, amount }];
  });
}

/** Which of them has no room: of the tenant's the longest window, else the user's own. */
function fullAmong(takings: readonly QuotaTaking[], used: readonly UsedQuota[]): QuotaTaking | undefined {
  const isFull = ({ resource, window, amount, amount_max }: QuotaTaking) =>
    used.some((one) => one.resource === resource && one.window === window && one.used + amount > amount_max);
  const ofTenant = takings.filter(({ holder }) => holder === takings[0]?.holder);
  return ofTenant.findLast(isFull) ?? takings.find((taking) => !ofTenant.includes(taking));
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
