import { createRoute, z } from '@hono/zod-openapi';
import { openCameraFor } from '../../../application/events/frames/open-camera.ts';
import { takeFrame } from '../../../application/events/frames/take-frame.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { IMAGE_BODY_BYTES_MAX, ImagePart } from '../image-part.ts';
import { callerOf } from '../tenancy.ts';
import { CapturedAt, FrameRecord, frameAnswer, TakenFrameRecord } from './frame-schema.ts';
import { senderOf } from './frame-sender.ts';

const FrameForm = z.strictObject({ image: ImagePart.optional(), captured_at: CapturedAt.optional() });

const IMAGE_BODY = { schema: { type: 'string', format: 'binary' } } as const;

/** POST /cameras/{id}/frames: who a camera sees. The image in a form, or as the body itself with `captured_at` in the query. */
export function takeFrameRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'bearer', permission: 'frames:write' },
      bucket: 'private',
      errors: ['CONFLICT'],
      bodyBytesMax: IMAGE_BODY_BYTES_MAX,
    },
    createRoute({
      method: 'post',
      path: '/cameras/{id}/frames',
      tags: ['cameras'],
      summary: 'Send a frame of a camera',
      request: {
        params: z.object({ id: z.string() }),
        query: z.object({ captured_at: CapturedAt.optional() }),
        body: {
          content: {
            'multipart/form-data': { schema: FrameForm },
            'image/jpeg': IMAGE_BODY,
            'image/png': IMAGE_BODY,
            'image/webp': IMAGE_BODY,
            'application/octet-stream': IMAGE_BODY,
          },
        },
      },
      responses: {
        200: jsonOf(
          'Who was recognized, to callers who may see attendees; the same frame again has the same answer.',
          z.union([FrameRecord, TakenFrameRecord]),
        ),
      },
    }),
    async (c) => {
      const sender = await senderOf(c);
      const camera = await openCameraFor(c.env, sender, c.req.valid('param').id);
      if (camera === null) return failure(c, notFound('camera'));
      // The types know no form beside other bodies; one of another media type is validated as an empty form.
      const form = c.req.valid('form' as never) as z.infer<typeof FrameForm>;
      const isForm = c.req.header('content-type')?.startsWith('multipart/form-data') === true;
      const capturedAt = form.captured_at ?? c.req.valid('query').captured_at;
      const image = isForm ? form.image : await c.req.blob();
      if (capturedAt === undefined || image === undefined)
        return failure(c, apiError('VALIDATION_ERROR', 'a frame has an image and captured_at'));
      const taken = await takeFrame(c.env, callerOf(c), camera, { image, capturedAt });
      return taken.ok ? c.json(frameAnswer(taken.value, sender), 200) : answerRefusal(c, taken.error);
    },
  );
}
