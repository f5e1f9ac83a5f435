import { createRoute, z } from '@hono/zod-openapi';
import { enhancementScope, sourcePlace } from '../../../application/events/enhancement/enhancement-scope.ts';
import { imageTypeOf } from '../../../application/events/enhancement/image-type.ts';
import type { EventWork } from '../../../application/events/event-work.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { createJob } from '../../../data/events/images/enhancement-jobs.ts';
import { putImage } from '../../../data/events/images/sealed-images.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { ENHANCEMENT_LIMITS } from '../../../protocol/inference/wire.ts';
import { principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { FORM_BYTES_MAX, IMAGE_BYTES_MAX, ImagePart, imageBytesOf } from '../image-part.ts';
import { tenancyOf } from '../tenancy.ts';
import { jsonOf } from '../wire.ts';

/** How long image and result are kept. */
const KEPT_MS = DAY_MS;

const { fidelity_default, upscale_default, upscale_values } = ENHANCEMENT_LIMITS;

const EnhancementForm = z.object({
  image: ImagePart,
  fidelity: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().min(0).max(1))
    .default(fidelity_default)
    .openapi({
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: fidelity_default,
      description: 'Of restored faces: 1 stays nearest to the image, 0 trusts the model most.',
    }),
  upscale: z
    .enum(upscale_values.map(String) as [string, ...string[]])
    .transform(Number)
    .default(upscale_default)
    .openapi({ type: 'integer', enum: [...upscale_values], default: upscale_default }),
});

const Accepted = z.object({ job_id: z.string(), status: z.literal('queued') }).openapi('EnhancementAccepted');

/** POST /v1/enhance: takes the image in, and answers before it is worked on. */
export function createJobRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'bearer', permission: 'images:enhance' },
      bucket: 'private',
      idempotent: true,
      bodyBytesMax: IMAGE_BYTES_MAX + FORM_BYTES_MAX,
    },
    createRoute({
      method: 'post',
      path: '/v1/enhance',
      tags: ['enhancement'],
      summary: 'Restore faces in an image and upscale it',
      request: { body: { required: true, content: { 'multipart/form-data': { schema: EnhancementForm } } } },
      responses: { 202: jsonOf('The job, queued.', Accepted) },
    }),
    async (c) => {
      const { image, fidelity, upscale } = c.req.valid('form');
      const bytes = await imageBytesOf(image);
      if (!bytes.ok) return failure(c, bytes.error);
      if (imageTypeOf(bytes.bytes) === null)
        return failure(c, apiError('UNSUPPORTED_MEDIA_TYPE', 'the image is no JPEG, PNG or WebP'));
      const { tenant, organization } = tenancyOf(c);
      const id = resourceIdOf(c);
      const createdAt = Date.now();
      const source = sourcePlace(tenant, id);
      const key = await openScopeKeys(c.env.EVENT_KEYS, c.env.EVENTS_MASTER_KEY).create(enhancementScope(tenant));
      // First the row, by which whatever comes of it is found and deleted; last the message, which needs both.
      await createJob(eventsDatabase(c.env.EVENTS_DB), {
        id,
        tenant,
        createdBy: principalOf(c).userId,
        fidelity,
        upscale,
        sourceKey: source.path,
        createdAt,
        expiresAt: createdAt + KEPT_MS,
      });
      await putImage(c.env.EVENT_IMAGES, key, source, bytes.bytes);
      const work: EventWork = { type: 'enhance', jobId: id, tenant, organization, requestId: c.get('requestId') };
      await c.env.EVENT_WORK.send(work);
      return c.json({ job_id: id, status: 'queued' as const }, 202);
    },
  );
}
