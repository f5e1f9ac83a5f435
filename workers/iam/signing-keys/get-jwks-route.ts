import { createRoute, z } from '@hono/zod-openapi';
import { publishedKeys } from '../../../application/identity/signing-keys/signing-key.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';

const Jwk = z.object({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.string(),
  use: z.literal('sig'),
});

/** Public signing keys, RFC 7517. Verifiers may keep them for less time than a key is published before it signs. */
export function getJwksRoute(iam: Profile): void {
  registerRoute(
    iam,
    {
      access: { credential: 'oauth' },
      bucket: 'public',
      passesOverQuery: 'a document that programs of any kind ask for',
    },
    createRoute({
      method: 'get',
      path: '/.well-known/jwks',
      summary: 'Public keys that sign the tokens',
      responses: {
        200: {
          description: 'JSON Web Key Set',
          content: { 'application/json': { schema: z.object({ keys: z.array(Jwk) }) } },
        },
      },
    }),
    async (c) => {
      c.set('readableBy', '*');
      c.header('cache-control', 'public, max-age=300');
      const keys = await publishedKeys(c.env);
      return c.json({ keys: keys.map((key): z.infer<typeof Jwk> => JSON.parse(key.publicJwk)) }, 200);
    },
  );
}
