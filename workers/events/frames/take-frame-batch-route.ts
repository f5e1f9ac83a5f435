import { createRoute, z } from '@hono/zod-openapi';
import { type FrameSender, openCameraFor } from '../../../application/events/frames/open-camera.ts';
import { type TakenFrame, takeFrames } from '../../../application/events/frames/take-frame.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { IMAGES_BODY_BYTES_MAX, ImagePart } from '../image-part.ts';
import { callerOf } from '../tenancy.ts';
import { CapturedAt, FrameRecord, frameAnswer, TakenFrameRecord } from './frame-schema.ts';
import { senderOf } from './frame-sender.ts';

const FRAMES_MAX = 16;

const BatchForm = z
  .strictObject({
    image: z.union([ImagePart, z.array(ImagePart).min(1).max(FRAMES_MAX)]),
    captured_at: z.union([CapturedAt, z.array(CapturedAt).min(1).max(FRAMES_MAX)]),
  })
  .refine(({ image, captured_at }) => [image].flat().length === [captured_at].flat().length, {
    message: 'as many as there are images',
    path: ['captured_at'],
  });

const FrameFailure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
    retry_after: z.int().nullable().openapi({ description: 'Seconds, where the frame may be sent again.' }),
  }),
});

/** POST /cameras/{id}/frames/batch: frames that a camera has gathered, in any order; each is answered for itself. */
export function takeFrameBatchRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'bearer', permission: 'frames:write' },
      bucket: 'private',
      bodyBytesMax: IMAGES_BODY_BYTES_MAX,
    },
    createRoute({
      method: 'post',
      path: '/cameras/{id}/frames/batch',
      tags: ['cameras'],
      summary: 'Send several frames of a camera',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'multipart/form-data': { schema: BatchForm } } },
      },
      responses: {
        200: jsonOf(
          'An answer or an error for each frame, in their order.',
          z.object({ frames: z.array(z.union([FrameRecord, TakenFrameRecord, FrameFailure])) }),
        ),
      },
    }),
    async (c) => {
      const form = c.req.valid('form');
      const images = [form.image].flat();
      const times = [form.captured_at].flat();
      if (images.length > FRAMES_MAX)
        return failure(c, apiError('VALIDATION_ERROR', 'too many frames', { frames_max: FRAMES_MAX }));
      const sender = await senderOf(c);
      const camera = await openCameraFor(c.env, sender, c.req.valid('param').id);
      if (camera === null) return failure(c, notFound('camera'));
      const frames = images.map((image, at) => ({ image, capturedAt: Date.parse(times[at] ?? '') }));
      const taken = await takeFrames(c.env, callerOf(c), camera, frames);
      if (!taken.ok) return answerRefusal(c, taken.error);
      return c.json({ frames: taken.value.map((one) => answerOf(one, sender)) }, 200);
    },
  );
}

function answerOf(
  taken: TakenFrame,
  sender: FrameSender,
): z.infer<typeof FrameRecord> | z.infer<typeof TakenFrameRecord> | z.infer<typeof FrameFailure> {
  if (taken.ok) return frameAnswer(taken.value, sender);
  const { error, retryAfter } = taken.error;
  return { error: { ...error, retry_after: retryAfter } };
}
