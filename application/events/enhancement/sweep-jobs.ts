import { eventsDatabase } from '../../../data/events/database.ts';
import { deleteJobs, findExpiredJobs, findStalledJobs } from '../../../data/events/images/enhancement-jobs.ts';
import { deleteImages } from '../../../data/events/images/sealed-images.ts';
import type { EventWork } from '../event-work.ts';
import { resultPlace } from './enhancement-scope.ts';

const STALLED_MS = 10 * 60_000;
const JOBS_MAX = 200;

/** Deletes jobs that have expired with their images, and queues those again that nobody has. */
export async function sweepJobs(env: Env): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const now = Date.now();
  const expired = await findExpiredJobs(db, now, JOBS_MAX);
  await deleteImages(
    env.EVENT_IMAGES,
    expired.flatMap(({ id, tenant, sourceKey }) => [sourceKey, resultPlace(tenant, id).path]),
  );
  await deleteJobs(
    db,
    expired.map(({ id }) => id),
  );
  for (const { id, tenant } of await findStalledJobs(db, { before: now - STALLED_MS, now, limit: JOBS_MAX })) {
    const [organization = tenant] = tenant.split('/');
    await env.EVENT_WORK.send({ type: 'enhance', jobId: id, tenant, organization, requestId: id } satisfies EventWork);
  }
}
