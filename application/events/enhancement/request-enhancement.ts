import { eventsDatabase } from '../../../data/events/database.ts';
import { createJob } from '../../../data/events/images/enhancement-jobs.ts';
import { putImage } from '../../../data/events/images/sealed-images.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { imageTypeOf } from '../../../domain/events/image-type.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { EventWork } from '../event-work.ts';
import type { EventsCaller } from '../events-caller.ts';
import { imageBytesOf } from '../images/image-bytes.ts';
import { enhancementScope, sourcePlace } from './enhancement-scope.ts';

/** How long image and result are kept. */
const KEPT_MS = DAY_MS;

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

/** Takes an image in to be enhanced, and queues the work. */
export async function requestEnhancement(
  env: Env,
  { tenant, organization, requestId }: EventsCaller,
  { id, image, fidelity, upscale, createdBy }: EnhancementRequest,
): Promise<Result<null, ApiError>> {
  const bytes = await imageBytesOf(image);
  if (!bytes.ok) return bytes;
  if (imageTypeOf(bytes.value) === null)
    return err(apiError('UNSUPPORTED_MEDIA_TYPE', 'the image is no JPEG, PNG or WebP'));
  const createdAt = Date.now();
  const expiresAt = createdAt + KEPT_MS;
  const source = sourcePlace(tenant, id);
  const key = await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).create(enhancementScope(tenant));
  const job = { id, tenant, createdBy, fidelity, upscale, sourceKey: source.path, createdAt, expiresAt };
  // First the row, by which whatever comes of it is found and deleted; last the message, which needs both.
  await createJob(eventsDatabase(env.EVENTS_DB), job);
  await putImage(env.EVENT_IMAGES, key, source, bytes.value);
  await env.EVENT_WORK.send({ type: 'enhance', jobId: id, tenant, organization, requestId } satisfies EventWork);
  return ok(null);
}
