import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../data/database.ts';
import { isVenueHalted } from '../../data/markets/venue.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { jsonOf } from '../responses/wire.ts';

/** For which one answer is everybody's. */
const KEPT_SECONDS = 5;

const VenueStatus = z
  .object({
    status: z.enum(['open', 'halted']).openapi({
      description: '`halted`: no market takes orders. A single market has its own status in `GET /v1/markets`.',
    }),
    timestamp: z.int().openapi({ description: 'Unix milliseconds.' }),
  })
  .openapi('VenueStatus');

/** GET /v1/status. */
export function getStatusRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public', edge: { seconds: KEPT_SECONDS } },
    createRoute({
      method: 'get',
      path: '/v1/status',
      summary: 'Whether the venue trades',
      responses: { 200: jsonOf('The status.', VenueStatus) },
    }),
    async (c) => {
      const status = (await isVenueHalted(database(c.env.DB))) ? 'halted' : 'open';
      return c.json({ status, timestamp: Date.now() } as const, 200);
    },
  );
}
