import { z } from '@hono/zod-openapi';

/** Form body of the token endpoint: the union of the grants' fields (X-AAU-01, X-AAU-06, P-AUT-02; RFC 6749, 6). */
export const TokenForm = z.object({
  grant_type: z.string(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  username: z.string().optional().openapi({ description: 'password grant: the phone number, E.164' }),
  password: z.string().optional().openapi({ description: 'password grant: the one-time code' }),
  refresh_token: z.string().optional(),
  scope: z.string().default('openid').openapi({ description: 'joined by spaces or plus signs' }),
});
