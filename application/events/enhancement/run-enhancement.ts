import { eventsDatabase } from '../../../data/events/database.ts';
import {
  claimNextJob,
  completeJob,
  type EnhancementJob,
  endAttempt,
  failJob,
  nextJobAt,
  reportProgress,
} from '../../../data/events/images/enhancement-jobs.ts';
import { getImage, putImage } from '../../../data/events/images/sealed-images.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { organizationOf } from '../../../domain/events/tenant-name.ts';
import { DONE, type WorkOutcome } from '../event-work.ts';
import type { EventsCaller } from '../events-caller.ts';
import type { EnhancementStream } from '../inference/enhancement-stream.ts';
import { inferenceClient } from '../inference/inference-client.ts';
import { type InferenceFailure, inferenceError, isPassing, retryAfterOf } from '../inference/inference-failure.ts';
import { enhancementScope, resultPlace, sourcePlace } from './enhancement-scope.ts';

/** Longer than the models need from one word of progress to the next. */
const LEASE_MS = 2 * 60_000;
const PROGRESS_STEP = 0.05;
const ATTEMPTS_MAX = 5;
/** Doubled for each attempt. */
const RETRY_S = 5;
const RETRY_S_MAX = 300;
/** A job can be taken this much before its message comes again, whose delay is in whole seconds. */
const EARLY_MS = 500;

/**
 * Works on the enhancement job whose turn it is. A message that comes again finds another job, or none that it may have; of two attempts on a job only the
 * later one's word counts, so a job completes or fails once.
 */
export async function runEnhancement(env: Env): Promise<WorkOutcome> {
  const db = eventsDatabase(env.EVENTS_DB);
  const now = Date.now();
  const job = await claimNextJob(db, { now, leaseUntil: now + LEASE_MS });
  if (job === null) return outcomeForOthers(await nextJobAt(db, now), now);

  const key = await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).open(enhancementScope(job.tenant));
  const source = key === null ? null : await getImage(env.EVENT_IMAGES, key, sourcePlace(job.tenant, job.id));
  if (key === null || source === null) {
    await failJob(db, job, { code: 'NOT_FOUND', message: 'the image was deleted' }, Date.now());
    return DONE;
  }
  const stream = await inferenceClient(env, callerOf(job)).enhance(source, job);
  if (!stream.ok) return outcomeOfFailure(env, job, stream.error);
  const ended = await follow(env, job, stream.value);
  switch (ended.type) {
    case 'superseded':
      return DONE;
    case 'failed':
      return outcomeOfFailure(env, job, ended.failure);
    case 'result': {
      const { original, enhanced, faceRestoration } = ended.result;
      const place = resultPlace(job.tenant, job.id);
      await putImage(env.EVENT_IMAGES, key, place, ended.png);
      const sizes = {
        originalWidth: original.width,
        originalHeight: original.height,
        enhancedWidth: enhanced.width,
        enhancedHeight: enhanced.height,
      };
      await completeJob(db, job, { ...sizes, resultKey: place.path, faceRestoration }, Date.now());
      return DONE;
    }
  }
}

type StreamItem = EnhancementStream extends AsyncIterable<infer Item> ? Item : never;
type Ended = Exclude<StreamItem, { type: 'progress' }> | { readonly type: 'superseded' };

/** Writes the progress down, as long as the job is this attempt's. */
async function follow(env: Env, job: EnhancementJob, stream: EnhancementStream): Promise<Ended> {
  const db = eventsDatabase(env.EVENTS_DB);
  let told = 0;
  for await (const item of stream) {
    if (item.type !== 'progress') return item;
    if (item.progress < told + PROGRESS_STEP) continue;
    told = item.progress;
    const now = Date.now();
    if (!(await reportProgress(db, job, { progress: told, now, leaseUntil: now + LEASE_MS })))
      return { type: 'superseded' };
  }
  return { type: 'failed', failure: { reason: 'unreachable' } };
}

async function outcomeOfFailure(env: Env, job: EnhancementJob, failure: InferenceFailure): Promise<WorkOutcome> {
  const db = eventsDatabase(env.EVENTS_DB);
  if (!isPassing(failure) || job.attempts >= ATTEMPTS_MAX) {
    const { code, message } = inferenceError(failure);
    await failJob(db, job, { code, message }, Date.now());
    return DONE;
  }
  const backoff = Math.min(RETRY_S * 2 ** (job.attempts - 1), RETRY_S_MAX);
  const delaySeconds = Math.max(backoff, retryAfterOf(failure));
  const now = Date.now();
  await endAttempt(db, job, { now, waitsUntil: now + delaySeconds * 1_000 - EARLY_MS });
  return { type: 'retry', delaySeconds };
}

/** Of a message for which there is no job: it waits for those who have one, in case they die. */
function outcomeForOthers(nextAt: number | null, now: number): WorkOutcome {
  if (nextAt === null) return DONE;
  return { type: 'retry', delaySeconds: Math.max(1, Math.ceil((nextAt - now) / 1_000)) };
}

/** A job is its tenant's, and no request's any more. */
function callerOf({ id, tenant }: EnhancementJob): EventsCaller {
  return { tenant, organization: organizationOf(tenant), requestId: id };
}
