import { createRoute, z } from '@hono/zod-openapi';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';
import { ANY_BEARER } from './any-bearer.ts';

/** GET /health, of the earlier interface. */
export function getLivenessRoute(events: Profile): void {
  registerRoute(
    events,
    { ...ANY_BEARER, passesOverQuery: 'health, which programs of any kind ask for' },
    createRoute({
      method: 'get',
      path: '/health',
      tags: ['health'],
      summary: 'Whether the gateway answers',
      responses: { 200: jsonOf('It does.', z.object({ code: z.literal(200) })) },
    }),
    (c) => c.json({ code: 200 as const }, 200),
  );
}
