import { createRoute, z } from '@hono/zod-openapi';
import { userinfoOf } from '../../../application/identity/authorization/target.ts';
import { claimsOfUser } from '../../../application/identity/tokens/claims-of-user.ts';
import { database } from '../../../data/database.ts';
import { findUser } from '../../../data/identity/users.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { openToPagesOf, PAGES_OF_CLIENTS } from './pages-of-clients.ts';

const UserInfo = z.object({
  sub: z.string(),
  owner: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  email_verified: z
    .boolean()
    .optional()
    .openapi({ description: 'Whether the person has proved to read it; else somebody has stated it of them.' }),
  phone_number: z.string().optional(),
});

/** OpenID Connect Core 5.3: what the token's scope opens of its subject. */
export function getUserinfoRoute(iam: Profile): void {
  registerRoute(
    iam,
    {
      access: { credential: 'bearer' },
      bucket: 'private',
      crossOrigin: PAGES_OF_CLIENTS,
      takesAudience: (c) => (audience) => audience === userinfoOf(c.env),
      passesOverQuery:
        'OpenID Connect, 5.3.1: it is asked for by the libraries of others, of which some add to the address',
    },
    createRoute({
      method: 'get',
      path: '/api/userinfo',
      summary: 'Claims of the bearer',
      responses: { 200: { description: 'Claims', content: { 'application/json': { schema: UserInfo } } } },
    }),
    async (c) => {
      const { userId, owner } = principalOf(c);
      await openToPagesOf(c, c.get('accessToken')?.clientId);
      const scope = (c.get('accessToken')?.scope ?? '').split(' ');
      const user = await findUser(database(c.env.DB), userId);
      return c.json({ sub: userId, owner, ...(await claimsOfUser(c.env, user, scope)) }, 200);
    },
  );
}
