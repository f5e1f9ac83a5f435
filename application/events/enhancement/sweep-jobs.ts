import { eventsDatabase } from '../../../data/events/database.ts';
import {
  deleteJobs,
  findExpiredJobs,
  isWorkedOn,
  noteStalledJobs,
} from '../../../data/events/images/enhancement-jobs.ts';
import { deleteImages } from '../../../data/events/images/sealed-images.ts';
import type { EventWork } from '../event-work.ts';
import { resultPlace } from './enhancement-scope.ts';

/** Longer than the lease of an attempt, and than a job waits for its next one. */
const STALLED_MS = 10 * 60_000;
/** Of one statement, and of one deletion in the store, which takes twice as many names. */
const JOBS_PER_STEP = 500;
/** Of one call of a queue. */
const MESSAGES_MAX = 100;

/**
 * Deletes all jobs that have expired, with their images, and tells the queue of those again that nobody will come for. What one invocation does is
 * bounded by its budget of queries.
 */
export async function sweepJobs(env: Env): Promise<void> {
  let isMore = true;
  while (isMore) isMore = await deleteExpired(env);
  await queueStalled(env);
}

/** False where no more are left. */
async function deleteExpired(env: Env): Promise<boolean> {
  const db = eventsDatabase(env.EVENTS_DB);
  const expired = await findExpiredJobs(db, Date.now(), JOBS_PER_STEP);
  if (expired.length === 0) return false;
  await deleteImages(
    env.EVENT_IMAGES,
    expired.flatMap(({ id, tenant, sourceKey }) => [sourceKey, resultPlace(tenant, id).path]),
  );
  await deleteJobs(
    db,
    expired.map(({ id }) => id),
  );
  return expired.length === JOBS_PER_STEP;
}

/** As long as any job is worked on, those that have a turn wait for it. One without a turn is taken by nobody until it has one. */
async function queueStalled(env: Env): Promise<void> {
  const now = Date.now();
  const before = now - STALLED_MS;
  await tellAgain(env, { before, now, of: 'without_turn' });
  if (await isWorkedOn(eventsDatabase(env.EVENTS_DB), before)) return;
  await tellAgain(env, { before, now, of: 'all' });
}

async function tellAgain(
  env: Env,
  which: { readonly before: number; readonly now: number; readonly of: 'all' | 'without_turn' },
): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  for (;;) {
    const stalled = await noteStalledJobs(db, { ...which, limit: MESSAGES_MAX });
    if (stalled === 0) return;
    await env.EVENT_WORK.sendBatch(
      Array.from({ length: stalled }, () => ({ body: { type: 'enhance' } satisfies EventWork })),
    );
  }
}
