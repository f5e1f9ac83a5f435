import { uuidv7 } from 'uuidv7';
import { eventsDatabase } from '../../../data/events/database.ts';
import { type EnhancementJob, findJob } from '../../../data/events/images/enhancement-jobs.ts';
import { recordStaffEntry } from '../../../data/events/trail/staff-trail.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { takeQuota } from '../quotas/take-quota.ts';
import type { Refusal } from '../refusal.ts';
import { type ResultLink, signLink } from './result-link.ts';

const LINK_MS = 15 * 60_000;
/** Of the answer that has the link. */
const LINK_MADE = 200;

/** A job of the tenant's; null for one that it does not have, or that has expired. */
export async function findEnhancement(env: Env, tenant: string, jobId: string): Promise<EnhancementJob | null> {
  const job = await findJob(eventsDatabase(env.EVENTS_DB), jobId);
  return job === null || job.tenant !== tenant || job.expiresAt <= Date.now() ? null : job;
}

export type SignedLink = Pick<ResultLink, 'expires'> & { readonly signature: string };

/**
 * What a link to the result of a completed job needs: whoever has it may read the result for fifteen minutes. Who reads by it nobody knows, so the trail says
 * who had it made, and when, before there is one.
 */
export async function linkToResult(
  env: Env,
  { tenant, id: jobId, expiresAt }: EnhancementJob,
  madeFor: string,
): Promise<Result<SignedLink, Refusal>> {
  const counted = await takeQuota(env, tenant, { trail_entries: 1 }, madeFor);
  if (!counted.ok) return counted;
  const now = Date.now();
  const entry = { id: uuidv7(), tenant, act: 'enhancement_link_made', actor: madeFor, object: jobId } as const;
  await recordStaffEntry(eventsDatabase(env.EVENTS_DB), { ...entry, createdAt: now, status: LINK_MADE });
  const expires = Math.min(now + LINK_MS, expiresAt);
  return ok({ expires, signature: await signLink(env, { tenant, jobId, expires }) });
}
