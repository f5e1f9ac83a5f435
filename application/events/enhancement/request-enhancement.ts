import { eventsDatabase } from '../../../data/events/database.ts';
import { createJob, giveTurn, type WaitingBounds } from '../../../data/events/images/enhancement-jobs.ts';
import { putImage } from '../../../data/events/images/sealed-images.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { imageTypeOf } from '../../../domain/events/image-type.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import type { EventWork } from '../event-work.ts';
import type { EventsCaller } from '../events-caller.ts';
import { imageBytesOf } from '../images/image-bytes.ts';
import { takeQuota } from '../quotas/take-quota.ts';
import { type Refusal, refusal } from '../refusal.ts';
import { enhancementScope, sourcePlace } from './enhancement-scope.ts';

/** How long image and result are kept. */
const KEPT_MS = DAY_MS;

/**
 * Of one tenant, what waits and what is worked on. A job takes some ten seconds, and four are worked on at once: a thousand are three quarters of an hour
 * for a tenant alone, and what a tenant may leave in the store without anything being done about it is a tenth of what the largest images would come to.
 */
const WAITING: WaitingBounds = { jobs_max: 1_000, bytes_max: 1024 ** 3 };
/** About as long as a job takes: then there is room for another. */
const RETRY_AFTER_S = 10;

export interface EnhancementRequest {
  /** Of the job, the same on every repetition. */
  readonly id: string;
  readonly image: Blob;
  /** Of restored faces, 0 to 1: 1 stays nearest to the image. */
  readonly fidelity: number;
  readonly upscale: number;
  /** User id. */
  readonly createdBy: string;
}

/** Takes an image in to be enhanced, and tells the queue that a job is due. */
export async function requestEnhancement(
  env: Env,
  { tenant }: Pick<EventsCaller, 'tenant'>,
  { id, image, fidelity, upscale, createdBy }: EnhancementRequest,
  waiting: WaitingBounds = WAITING,
): Promise<Result<null, Refusal>> {
  const counted = await takeQuota(env, tenant, { enhancements: 1, bytes: image.size });
  if (!counted.ok) return counted;
  const bytes = await imageBytesOf(image);
  if (!bytes.ok) return err(refusal(bytes.error));
  if (imageTypeOf(bytes.value) === null)
    return err(refusal(apiError('UNSUPPORTED_MEDIA_TYPE', 'the image is no JPEG, PNG or WebP')));
  const db = eventsDatabase(env.EVENTS_DB);
  const createdAt = Date.now();
  const source = sourcePlace(tenant, id);
  const job = { id, tenant, createdBy, fidelity, upscale, sourceKey: source.path, byteLength: bytes.value.length };
  // First the row, by which the image is counted before it is stored, and found and deleted afterwards; last the message, which needs both.
  if (!(await createJob(db, { ...job, createdAt, expiresAt: createdAt + KEPT_MS }, waiting)))
    return err(
      refusal(
        apiError('RATE_LIMIT_EXCEEDED', 'as many images as a tenant may have waiting wait already', {
          reason: 'enhancements_waiting',
          ...waiting,
        }),
        RETRY_AFTER_S,
      ),
    );
  const key = await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).create(enhancementScope(tenant));
  await putImage(env.EVENT_IMAGES, key, source, bytes.value);
  await giveTurn(db, job);
  await env.EVENT_WORK.send({ type: 'enhance' } satisfies EventWork);
  return ok(null);
}
