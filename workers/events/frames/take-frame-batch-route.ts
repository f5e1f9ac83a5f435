import { createRoute, z } from '@hono/zod-openapi';
import { type FrameSender, openCameraFor } from '../../../application/events/frames/open-camera.ts';
import { type SentFrame, type TakenFrame, takeFrames } from '../../../application/events/frames/take-frame.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { type Refusal, refusal } from '../../../application/events/refusal.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { IMAGES_BODY_BYTES_MAX } from '../image-part.ts';
import { callerOf } from '../tenancy.ts';
import { CapturedAt, FrameRecord, frameAnswer, TakenFrameRecord } from './frame-schema.ts';
import { senderOf } from './frame-sender.ts';

const FRAMES_MAX = 16;

const AnyPart = z.custom<File | string>((part) => typeof part === 'string' || part instanceof File);
/** Each is looked at by itself: one that is none refuses no other frame. */
const SentImage = AnyPart.openapi({
  type: 'string',
  format: 'binary',
  description: 'JPEG, PNG or WebP, at most 10 MiB.',
});
const SentTime = AnyPart.openapi({ type: 'string', format: 'date-time' });

const BatchForm = z
  .strictObject({
    image: z.union([SentImage, z.array(SentImage).min(1).max(FRAMES_MAX)]),
    captured_at: z.union([SentTime, z.array(SentTime).min(1).max(FRAMES_MAX)]),
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
      const frames = images.map((image, at) => sentFrame(image, times[at]));
      const sound = frames.flatMap((frame) => (frame.ok ? [frame.value] : []));
      const taken = sound.length === 0 ? ok([]) : await takeFrames(c.env, callerOf(c), camera, sound);
      if (!taken.ok) return answerRefusal(c, taken.error);
      const answers = taken.value.values();
      const each = frames.map((frame) => (frame.ok ? (answers.next().value as TakenFrame) : frame));
      return c.json({ frames: each.map((one) => answerOf(one, sender)) }, 200);
    },
  );
}

function sentFrame(image: File | string, time: File | string | undefined): Result<SentFrame, Refusal> {
  const capturedAt = CapturedAt.safeParse(time);
  if (!capturedAt.success) return err(unsound('captured_at', capturedAt.error.issues[0]?.message ?? 'is no time'));
  if (typeof image === 'string') return err(unsound('image', 'is no file'));
  return ok({ image, capturedAt: capturedAt.data });
}

function unsound(field: string, message: string): Refusal {
  return refusal(apiError('VALIDATION_ERROR', `${field}: ${message}`, { field }));
}

function answerOf(
  taken: TakenFrame,
  sender: FrameSender,
): z.infer<typeof FrameRecord> | z.infer<typeof TakenFrameRecord> | z.infer<typeof FrameFailure> {
  if (taken.ok) return frameAnswer(taken.value, sender);
  const { error, retryAfter } = taken.error;
  return { error: { ...error, retry_after: retryAfter } };
}
