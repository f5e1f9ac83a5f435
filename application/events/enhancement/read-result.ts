import { eventsDatabase } from '../../../data/events/database.ts';
import { findJob } from '../../../data/events/images/enhancement-jobs.ts';
import { getImage } from '../../../data/events/images/sealed-images.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { enhancementScope, resultPlace } from './enhancement-scope.ts';
import { isSigned } from './result-link.ts';

/** What a link says. Its signature covers the tenant of the job besides. */
export interface ShownLink {
  readonly jobId: string;
  /** Unix milliseconds. */
  readonly expires: number;
  readonly signature: string;
}

/**
 * The enhanced image, a PNG, for whoever has a link to it. Without a right signature nothing is said of the job, not even whether it
 * exists.
 */
export async function readResult(
  env: Env,
  { jobId, expires, signature }: ShownLink,
): Promise<Result<Uint8Array<ArrayBuffer>, ApiError>> {
  const job = await findJob(eventsDatabase(env.EVENTS_DB), jobId);
  const signed = await isSigned(env, { tenant: job?.tenant ?? '', jobId, expires }, signature);
  if (job === null || !signed) return err(apiError('FORBIDDEN', 'the link is not valid'));
  if (expires <= Date.now()) return err(apiError('FORBIDDEN', 'the link has expired', { reason: 'expired' }));
  const key = await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).open(enhancementScope(job.tenant));
  const image = key === null ? null : await getImage(env.EVENT_IMAGES, key, resultPlace(job.tenant, jobId));
  return image === null ? err(notFound('the image')) : ok(image);
}
