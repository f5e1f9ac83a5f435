import { createRoute, z } from '@hono/zod-openapi';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { isoTime, jsonOf } from '../responses/wire.ts';

const ServerTime = z.object({ data: z.object({ time: z.iso.datetime() }), message: z.literal('ok') });

/** GET /v1/time. */
export function getTimeRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/time',
      tags: ['assets'],
      summary: 'The time of the exchange',
      responses: { 200: jsonOf('The time.', ServerTime) },
    }),
    (c) => c.json({ data: { time: isoTime(Date.now()) }, message: 'ok' as const }, 200),
  );
}
