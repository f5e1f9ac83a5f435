import { createRoute, z } from '@hono/zod-openapi';
import { readReviewPicture } from '../../../application/events/reviews/read-review-picture.ts';
import { imageTypeOf } from '../../../domain/events/image-type.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { tenancyOf } from '../tenancy.ts';

const SUMMARIES = {
  frame: 'The frame in which the face is most like the candidate',
  candidate: 'The photograph of the candidate that it resembles',
} as const;

/** GET /reviews/{id}/frame and /candidate: what a person looks at to decide. */
export function getReviewPictureRoute(events: Profile): void {
  for (const picture of ['frame', 'candidate'] as const) {
    registerRoute(
      events,
      { access: { credential: 'bearer', permission: 'timeline:correct' }, bucket: 'private' },
      createRoute({
        method: 'get',
        path: `/reviews/{id}/${picture}`,
        tags: ['reviews'],
        summary: SUMMARIES[picture],
        request: { params: z.object({ id: z.string() }) },
        responses: { 200: { description: 'The image.' } },
      }),
      async (c) => {
        const image = await readReviewPicture(c.env, tenancyOf(c).tenant, c.req.valid('param').id, picture);
        if (!image.ok) return failure(c, image.error);
        const type = imageTypeOf(image.value) ?? 'application/octet-stream';
        return c.body(image.value, 200, { 'content-type': type, 'cache-control': 'no-store' });
      },
    );
  }
}
