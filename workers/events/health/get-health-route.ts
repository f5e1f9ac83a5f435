import { createRoute, z } from '@hono/zod-openapi';
import { readHealth } from '../../../application/events/health/read-health.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';
import { callerOf } from '../tenancy.ts';
import { ANY_BEARER } from './any-bearer.ts';

const Health = z
  .object({
    status: z.enum(['healthy', 'degraded', 'unhealthy']),
    services: z
      .object({ gateway: z.string(), ingest: z.string(), embed: z.string(), enhance: z.string() })
      .openapi({ description: '`ok`, or in a word what is the matter.' }),
  })
  .openapi('ServiceHealth');

/** GET /healthz and /v1/healthz. 503 where nothing can be stored. */
export function getHealthRoute(events: Profile): void {
  for (const path of ['/healthz', '/v1/healthz']) {
    registerRoute(
      events,
      { ...ANY_BEARER, passesOverQuery: 'health, which programs of any kind ask for' },
      createRoute({
        method: 'get',
        path,
        summary: 'Health of the service and of what it needs',
        responses: {
          200: jsonOf('Everything answers, or all but the models.', Health),
          503: jsonOf('Nothing can be stored now.', Health),
        },
      }),
      async (c) => {
        const read = await readHealth(c.env, callerOf(c));
        return c.json(read, read.status === 'unhealthy' ? 503 : 200);
      },
    );
  }
}
