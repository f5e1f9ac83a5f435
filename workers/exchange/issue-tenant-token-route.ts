import { createRoute, z } from '@hono/zod-openapi';
import { issueTenantToken } from '../../application/identity/tenant-token.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';

/** Answers the tenant token of the access token that the caller presents (X-AAU-04). */
export function issueTenantTokenRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'post',
      path: '/v1/auth/tenant-token',
      summary: 'A tenant token for the bearer',
      responses: {
        200: {
          description: 'Tenant token',
          content: { 'application/json': { schema: z.object({ token: z.string() }) } },
        },
      },
    }),
    async (c) => {
      const claims = c.get('accessToken');
      if (claims === undefined) throw new Error('a bearer route without an access token');
      return c.json({ token: await issueTenantToken(claims, c.env) }, 200);
    },
  );
}
