import { createRoute, z } from '@hono/zod-openapi';
import { readHealth } from '../../../application/events/health/read-health.ts';
import type { RouteDeclaration } from '../../middleware/access.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { inferenceOf } from '../inference/inference-of.ts';
import { jsonOf } from '../wire.ts';

/** For bearers alone, like every endpoint of the events service (E-AUT-01); of no permission in particular. */
const ANY_BEARER: RouteDeclaration = { access: { credential: 'bearer' }, bucket: 'private' };

const Health = z
  .object({
    status: z.enum(['healthy', 'degraded', 'unhealthy']),
    services: z
      .object({ gateway: z.string(), ingest: z.string(), embed: z.string(), enhance: z.string() })
      .openapi({ description: '`ok`, or in a word what is the matter.' }),
  })
  .openapi('ServiceHealth');

export function healthRoutes(profile: Profile): void {
  alive(profile);
  health(profile, '/healthz');
  health(profile, '/v1/healthz');
}

/** GET /health, of the earlier interface. */
function alive(profile: Profile): void {
  registerRoute(
    profile,
    ANY_BEARER,
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

/** GET /healthz. 503 where nothing can be stored. */
function health(profile: Profile, path: string): void {
  registerRoute(
    profile,
    ANY_BEARER,
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
      const read = await readHealth(c.env, inferenceOf(c));
      return c.json(read, read.status === 'unhealthy' ? 503 : 200);
    },
  );
}
