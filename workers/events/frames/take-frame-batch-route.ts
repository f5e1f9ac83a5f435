import { createRoute, z } from '@hono/zod-openapi';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { FORM_BYTES_MAX, IMAGE_BYTES_MAX, ImagePart } from '../image-part.ts';
import { notFound } from '../open-event.ts';
import { jsonOf } from '../wire.ts';
import { CapturedAt, FrameRecord, frameView } from './frame-schema.ts';
import { openCamera } from './open-camera.ts';
import { type TakenFrame, takeFrame } from './take-frame.ts';

const FRAMES_MAX = 16;
/** They lie in memory at once. */
const BODY_BYTES_MAX = 2 * IMAGE_BYTES_MAX + FORM_BYTES_MAX;
/** So that one camera leaves room for the others. */
const AT_ONCE = 4;

const BatchForm = z
  .object({
    image: z.union([ImagePart, z.array(ImagePart).min(1).max(FRAMES_MAX)]),
    captured_at: z.union([CapturedAt, z.array(CapturedAt)]),
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
      bodyBytesMax: BODY_BYTES_MAX,
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
          z.object({ frames: z.array(z.union([FrameRecord, FrameFailure])) }),
        ),
      },
    }),
    async (c) => {
      const form = c.req.valid('form');
      const images = [form.image].flat();
      const times = [form.captured_at].flat();
      if (images.length > FRAMES_MAX)
        return failure(c, apiError('VALIDATION_ERROR', 'too many frames', { frames_max: FRAMES_MAX }));
      const camera = await openCamera(c, c.req.valid('param').id);
      if (camera === null) return failure(c, notFound('camera'));
      const taken: TakenFrame[] = [];
      for (let at = 0; at < images.length; at += AT_ONCE) {
        const some = images
          .slice(at, at + AT_ONCE)
          .map((image, next) => ({ image, capturedAt: times[at + next] ?? '' }));
        taken.push(...(await Promise.all(some.map((frame) => takeFrame(c, camera, frame)))));
      }
      return c.json({ frames: taken.map(answerOf) }, 200);
    },
  );
}

function answerOf(taken: TakenFrame): z.infer<typeof FrameRecord> | z.infer<typeof FrameFailure> {
  return taken.ok ? frameView(taken.report) : { error: { ...taken.error, retry_after: taken.retryAfter } };
}
