import { createRoute, z } from '@hono/zod-openapi';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { agentAddressOf } from './agent-address.ts';

const Metadata = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
});

/** Protected resource metadata (RFC 9728): with the resource's path behind it, as section 3.1 has it, and without. */
export function getProtectedResourceRoute(profile: Profile): void {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    registerRoute(
      profile,
      {
        access: { credential: 'public' },
        bucket: 'public',
        passesOverQuery: 'a document that programs of any kind ask for',
      },
      createRoute({
        method: 'get',
        path,
        summary: 'Where access tokens come from',
        responses: { 200: { description: 'Metadata.', content: { 'application/json': { schema: Metadata } } } },
      }),
      (c) =>
        c.json(
          {
            resource: `${agentAddressOf(c)}/mcp`,
            authorization_servers: [c.env.IAM_ISSUER],
            scopes_supported: ['openid', 'offline_access'],
            bearer_methods_supported: ['header'],
            resource_name: 'Exchange agent tools',
          },
          200,
        ),
    );
  }
}
