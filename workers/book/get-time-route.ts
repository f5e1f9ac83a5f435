import { createRoute, z } from '@hono/zod-openapi';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { jsonOf } from '../responses/wire.ts';

const ServerTime = z
  .object({ timestamp: z.int().openapi({ description: 'Unix milliseconds.' }) })
  .openapi('ServerTime');

/** GET /v1/time. */
export function getTimeRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/time',
      summary: 'The clock that timestamps of signed requests are held against',
      responses: { 200: jsonOf('The time.', ServerTime) },
    }),
    (c) => c.json({ timestamp: Date.now() }, 200),
  );
}
