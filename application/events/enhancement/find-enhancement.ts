import { eventsDatabase } from '../../../data/events/database.ts';
import { type EnhancementJob, findJob } from '../../../data/events/images/enhancement-jobs.ts';
import { type ResultLink, signLink } from './result-link.ts';

const LINK_MS = 15 * 60_000;

/** A job of the tenant's; null for one that it does not have, or that has expired. */
export async function findEnhancement(env: Env, tenant: string, jobId: string): Promise<EnhancementJob | null> {
  const job = await findJob(eventsDatabase(env.EVENTS_DB), jobId);
  return job === null || job.tenant !== tenant || job.expiresAt <= Date.now() ? null : job;
}

/** What a link to the result of a completed job needs: whoever has it may read the result for fifteen minutes. */
export async function linkToResult(
  env: Env,
  { tenant, id: jobId, expiresAt }: EnhancementJob,
): Promise<Pick<ResultLink, 'expires'> & { readonly signature: string }> {
  const expires = Math.min(Date.now() + LINK_MS, expiresAt);
  return { expires, signature: await signLink(env, { tenant, jobId, expires }) };
}
