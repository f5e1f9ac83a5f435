import { z } from '@hono/zod-openapi';

/** Form body of the token endpoint: the union of the grants' fields (X-AAU-01, X-AAU-06, P-AUT-02; RFC 6749, 6). */
export const TokenForm = z.object({
  grant_type: z.string(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  username: z.string().optional().openapi({ description: 'password grant: the phone number, E.164' }),
  password: z.string().optional().openapi({ description: 'password grant: the one-time code' }),
  refresh_token: z.string().optional(),
  code: z.string().optional().openapi({ description: 'authorization_code grant, with the next two' }),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional().openapi({ description: 'RFC 7636' }),
  resource: z.string().optional().openapi({ description: 'RFC 8707: that of the authorization request' }),
  scope: z.string().default('openid').openapi({ description: 'joined by spaces or plus signs' }),
});
